import { requestJson, type HttpAnswer, type HttpRequest } from '../network/http-json.ts'
import { connectionFailed } from '../network/connection-failed.ts'
import { refusalOf } from './refusal.ts'
import type { DatabricksPlace } from './place.ts'

/** Sends an authenticated request to the workspace, and returns the answer if it succeeds. */
export type Ask = (
  path: string,
  request?: Pick<HttpRequest, 'body' | 'method' | 'signal'>,
) => Promise<unknown>

/** A token is renewed this long before it expires. */
const MARGIN_SECONDS = 60

/** Creates the client of the REST API of a workspace. */
export function workspace(place: DatabricksPlace, fetch: typeof globalThis.fetch | undefined): Ask {
  const { address, credentials, origin, workspaceId } = place
  let issued: { readonly token: string; readonly until: number } | undefined
  const send = async (path: string, request: HttpRequest): Promise<HttpAnswer> => {
    try {
      return await requestJson(`${origin}${path}`, { ...request, fetch })
    } catch (error) {
      request.signal?.throwIfAborted()
      throw connectionFailed(error, address)
    }
  }
  const token = async (signal: AbortSignal | undefined): Promise<string> => {
    if (credentials.kind === 'token') return credentials.token()
    if (issued && issued.until > Date.now()) return issued.token
    const basic = Buffer.from(`${credentials.clientId}:${credentials.clientSecret()}`).toString('base64')
    // https://docs.databricks.com/aws/en/dev-tools/auth/oauth-m2m
    const answer = await send('/oidc/v1/token', {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&scope=all-apis',
      signal,
    })
    const { access_token: text, expires_in: seconds = 0 } = (answer.body ?? {}) as TokenAnswer
    if (answer.status >= 400 || typeof text !== 'string') throw refusalOf(answer, { address, isSignIn: true })
    issued = { token: text, until: Date.now() + (seconds - MARGIN_SECONDS) * 1000 }
    return text
  }
  return async (path, request = {}) => {
    const answer = await send(path, {
      ...request,
      headers: {
        authorization: `Bearer ${await token(request.signal)}`,
        'user-agent': 'stagecraft',
        ...(workspaceId !== undefined && { 'x-databricks-org-id': workspaceId }),
      },
    })
    if (answer.status >= 400) throw refusalOf(answer, { address })
    return answer.body
  }
}

interface TokenAnswer {
  readonly access_token?: unknown
  readonly expires_in?: number
}
