import type { FastifyInstance, FastifyRequest } from 'fastify'
import { admit } from '../admission/admit.ts'
import { checkBodyHeaders } from '../body/json-body.ts'
import type { Setup } from '../options.ts'
import type { KeyHolder } from '../ports/keys.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that a key must have for the route. A route without one is open to all. */
    readonly scope?: string
  }
  interface FastifyRequest {
    /** Whose key it came with; undefined on open routes. */
    holder: KeyHolder | undefined
  }
}

/** The methods whose requests carry a body. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Asks for keys on routes with a scope, and then for JSON. Both before the body is read. */
export function addAdmission(app: FastifyInstance, setup: Setup): void {
  app.decorateRequest('holder')
  app.addHook('onRequest', async (request, reply) => {
    const { scope } = request.routeOptions.config
    if (scope === undefined) return
    const authorization = authorizationOf(request)
    const admitted = await admit({ requestId: request.id, authorization, scope }, setup)
    request.holder = admitted.holder
    reply.headers(admitted.headers)
    if (WITH_BODY.has(request.method)) {
      const { 'content-encoding': contentEncoding, 'content-type': contentType } = request.headers
      checkBodyHeaders({ contentType, contentEncoding })
    }
  })
}

/** All of them: Node's `headers` keeps the first and hides the rest. */
function authorizationOf({ raw }: FastifyRequest): readonly string[] {
  return raw.rawHeaders.filter((_, index, all) => index % 2 === 1 && isAuthorization(all[index - 1]))
}

function isAuthorization(name: string | undefined): boolean {
  return name?.length === 13 && name.toLowerCase() === 'authorization'
}
