import type { HttpAnswer } from '../network/http-json.ts'

/** One page of an answer: https://trino.io/docs/current/develop/client-protocol.html#important-queryresults-attributes */
export interface Page {
  readonly nextUri?: string
  readonly columns?: readonly { readonly name: string }[]
  readonly data?: readonly (readonly unknown[])[]
}

interface QueryResults extends Page {
  readonly error?: { readonly message?: string; readonly errorName?: string }
}

/**
 * The page of an answer.
 *
 * @throws {Error} with the name of Trino's error as its code, `HTTP_401` for a status, or none for what is no answer of Trino.
 */
export function pageOf({ body, status }: HttpAnswer): Page {
  if (status === 200 && isPage(body)) {
    const { error } = body
    if (!error) return body
    throw coded(error.errorName ?? 'GENERIC_INTERNAL_ERROR', error.message ?? 'the query failed')
  }
  const [line = ''] = (typeof body === 'string' ? body : '').trim().split('\n')
  const told = line === '' || line.startsWith('<') ? '' : `: ${line.slice(0, 300)}`
  throw coded(`HTTP_${status}`, `it answered with the status ${status}${told}`)
}

function isPage(body: unknown): body is QueryResults {
  return typeof body === 'object' && body !== null && 'id' in body
}

export function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
