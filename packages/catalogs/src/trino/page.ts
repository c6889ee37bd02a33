import type { HttpAnswer } from '../network/http-json.ts'
import type { Row } from '../warehouse/statement.ts'

/** Returns true if the user cannot set session properties. Then only the limit of this program applies. */
export function refusesSession(error: unknown): boolean {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  const isAccess = code === 'PERMISSION_DENIED' && /session property/i.test(message ?? '')
  return isAccess || code === 'INVALID_SESSION_PROPERTY'
}

/**
 * One page of an answer:
 * https://trino.io/docs/current/develop/client-protocol.html#important-queryresults-attributes
 */
export interface Page {
  readonly nextUri?: string
  readonly columns?: readonly { readonly name: string }[]
  readonly data?: readonly (readonly unknown[])[]
}

interface QueryResults extends Page {
  readonly error?: { readonly message?: string; readonly errorName?: string }
}

/**
 * Returns the page of an answer.
 *
 * @throws {Error} with the name of Trino's error as its code, or `HTTP_401` and the like for other answers.
 */
export function pageOf({ body, status }: HttpAnswer): Page {
  if (status === 200 && isPage(body)) {
    const { error } = body
    if (!error) return body
    throw coded(error.errorName ?? 'GENERIC_INTERNAL_ERROR', error.message ?? 'the query failed')
  }
  const [line = ''] = (typeof body === 'string' ? body : '').trim().split('\n')
  const detail = line === '' || line.startsWith('<') ? '' : `: ${line.slice(0, 300)}`
  throw coded(`HTTP_${status}`, `it answered with status ${status}${detail}`)
}

/** Returns the rows of a page. @param names The names of the columns, which the first page with rows tells. */
export function rowsOf({ data = [] }: Page, names: readonly string[]): readonly Row[] {
  return data.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at]])))
}

/** URLs from a coordinator belong to its own network, so only their path is used, with the host of the address. */
export function atOrigin(target: string, origin: URL): URL {
  const { pathname, search } = new URL(target, origin)
  return Object.assign(new URL(origin), { pathname, search })
}

function isPage(body: unknown): body is QueryResults {
  return typeof body === 'object' && body !== null && 'id' in body
}

export function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
