import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Access } from '@stagecraft/spec/api'
import { admit, admitSession, takeQuota } from '../admission/admit.ts'
import { checkOrigin } from '../admission/check-origin.ts'
import { readSessionCookie } from '../admission/session-cookie.ts'
import { checkParams } from '../api/read-call.ts'
import { checkBodyHeaders } from '../body/json-body.ts'
import type { Setup } from '../options.ts'
import type { KeyHolder } from '../ports/keys.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import type { Sessions } from '../ports/sessions.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that a key must have for the route. A route without a scope needs no key. */
    readonly scope?: Access
    /** True if the cookie of the dashboard is accepted in place of a key. Default false. */
    readonly takesSession?: boolean
    /**
     * True if the key must belong to a project, and `projectId` in the path must be that project. Default
     * false.
     */
    readonly needsProject?: boolean
    /** True if the request may omit its body, and with it `Content-Type`. Default false. */
    readonly isBodyOptional?: boolean
    /** Headers of all its responses, failures included. */
    readonly standingHeaders?: Readonly<Record<string, string>>
  }
  interface FastifyRequest {
    /** The holder of the request's key; undefined on open routes. */
    holder: KeyHolder | undefined
  }
}

/** The methods whose requests carry a body. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

interface RouteAdmissionSetup extends Setup {
  /** Default: no dashboard, and cookies are ignored. */
  readonly sessions?: Sessions | undefined
  /** Counts sign-ins by client address. */
  readonly signIns?: RateLimiter | undefined
}

/** Checks the key on routes with a scope, then that the body is JSON, both before the body is read. */
export function addAdmission(app: FastifyInstance, setup: RouteAdmissionSetup): void {
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
    const admitted = scope === 'none' ? await admitSignIn(request, setup) : await find(request, scope, setup)
    request.holder = admitted.holder
    reply.headers(admitted.headers)
    if (needsProject) checkParams(paramsOf(request), admitted.holder?.projectId)
    if (WITH_BODY.has(request.method) && !(isBodyOptional && isWithoutBody(request))) {
      const { 'content-encoding': contentEncoding, 'content-type': contentType } = request.headers
      checkBodyHeaders({ contentType, contentEncoding })
    }
  })
}

interface AdmittedRequest {
  readonly holder: KeyHolder | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** Admits a sign-in from the dashboard, within its rate limit. */
async function admitSignIn(
  { headers, ip, method }: FastifyRequest,
  { signIns }: RouteAdmissionSetup,
): Promise<AdmittedRequest> {
  checkOrigin(method, headers)
  return { holder: undefined, headers: signIns ? await takeQuota(signIns, `sign-in ${ip}`) : {} }
}

/** Finds the key of a request: from the header `Authorization` or, without one, from the session. */
async function find(
  request: FastifyRequest,
  scope: Exclude<Access, 'none'>,
  { sessions, ...setup }: RouteAdmissionSetup,
): Promise<AdmittedRequest> {
  const { headers, id: requestId, method, routeOptions } = request
  const { needsProject = false, takesSession = false } = routeOptions.config
  const checks = { requestId, scope, needsProject }
  const authorization = authorizationOf(request)
  const token =
    sessions && takesSession && authorization.length === 0
      ? readSessionCookie(headers.cookie, headers.host)
      : undefined
  if (!sessions || token === undefined) return await admit({ ...checks, authorization }, setup)
  checkOrigin(method, headers)
  return await admitSession({ ...checks, token }, { ...setup, sessions })
}

/** Returns the values in the braces of a path, decoded. */
export function paramsOf({ params }: FastifyRequest): Readonly<Record<string, string>> {
  return params as Readonly<Record<string, string>>
}

function isWithoutBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}

/** Returns all `Authorization` headers; Node's `headers` keeps only the first. */
function authorizationOf({ raw }: FastifyRequest): readonly string[] {
  return raw.rawHeaders.filter((_, index, all) => index % 2 === 1 && isAuthorization(all[index - 1]))
}

function isAuthorization(name: string | undefined): boolean {
  return name?.length === 13 && name.toLowerCase() === 'authorization'
}
