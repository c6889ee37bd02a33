import type { FastifyInstance, FastifyRequest } from 'fastify'
import { admit } from '../admission/admit.ts'
import { checkParams } from '../api/check-params.ts'
import { checkBodyHeaders } from '../body/json-body.ts'
import type { Setup } from '../options.ts'
import type { KeyHolder } from '../ports/keys.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that a key must have for the route. A route without one is open to all. */
    readonly scope?: string
    /**
     * True if the key must belong to a project, and `projectId` in the path must be that project. Default
     * false.
     */
    readonly needsProject?: boolean
    /** True if the request may omit its body, and then needs no `Content-Type`. Default false. */
    readonly isBodyOptional?: boolean
    /** Headers of all its answers, failures included. */
    readonly standingHeaders?: Readonly<Record<string, string>>
  }
  interface FastifyRequest {
    /** The holder of the key it came with; undefined on open routes. */
    holder: KeyHolder | undefined
  }
}

/** The methods whose requests carry a body. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Asks for keys on routes with a scope, and then for JSON. Both before the body is read. */
export function addAdmission(app: FastifyInstance, setup: Setup): void {
  app.decorateRequest('holder')
  app.addHook('onRequest', async (request, reply) => {
    const {
      isBodyOptional = false,
      needsProject = false,
      scope,
      standingHeaders,
    } = request.routeOptions.config
    if (standingHeaders) reply.headers(standingHeaders)
    if (scope === undefined) return
    const authorization = authorizationOf(request)
    const admitted = await admit({ requestId: request.id, authorization, scope, needsProject }, setup)
    request.holder = admitted.holder
    reply.headers(admitted.headers)
    if (needsProject) checkParams(paramsOf(request), admitted.holder.projectId)
    if (WITH_BODY.has(request.method) && !(isBodyOptional && isWithoutBody(request))) {
      const { 'content-encoding': contentEncoding, 'content-type': contentType } = request.headers
      checkBodyHeaders({ contentType, contentEncoding })
    }
  })
}

/** The values in the braces of a path, decoded. */
export function paramsOf({ params }: FastifyRequest): Readonly<Record<string, string>> {
  return params as Readonly<Record<string, string>>
}

function isWithoutBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}

/** All of them: Node's `headers` keeps the first and hides the rest. */
function authorizationOf({ raw }: FastifyRequest): readonly string[] {
  return raw.rawHeaders.filter((_, index, all) => index % 2 === 1 && isAuthorization(all[index - 1]))
}

function isAuthorization(name: string | undefined): boolean {
  return name?.length === 13 && name.toLowerCase() === 'authorization'
}
