import type { Address } from '../network/address.ts'
import { connectionFailed } from '../network/connection-failed.ts'
import { type HttpRequest, requestJson } from '../network/http-json.ts'
import { refused } from './refusal.ts'

export interface ApiOptions {
  readonly address: Address
  /** `https://bigquery.googleapis.com`. */
  readonly base: string
  /** The project that is billed. */
  readonly project: string
  readonly location: string | undefined
  /** A statement that would cost more is refused before it starts. */
  readonly maximumBytesBilled: number
  readonly token: () => Promise<string>
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Sends a request to the REST API for a project. */
export async function call<Body>(path: string, options: ApiOptions, request: HttpRequest): Promise<Body> {
  const { address, base, fetch, project } = options
  const url = `${base}/bigquery/v2/projects/${encodeURIComponent(project)}${path}`
  const headers = { authorization: `Bearer ${await options.token()}` }
  const answer = await requestJson(url, { ...request, headers, fetch }).catch((error: unknown) => {
    throw request.signal?.aborted ? error : connectionFailed(error, address)
  })
  if (answer.status >= 400) throw refused(answer.status, answer.body, options)
  return (answer.body ?? {}) as Body
}
