import type { HttpAnswer } from '../network/http-json.ts'
import type { Row } from '../warehouse/statement.ts'

interface Compact {
  readonly meta: readonly { readonly name: string }[]
  readonly data: readonly (readonly unknown[])[]
}

/** @throws {Error} with a code such as `CLICKHOUSE_60`, or `HTTP_503` of a gateway. */
export function rowsOf({ body, headers, status }: HttpAnswer): readonly Row[] {
  if (status === 200 && isCompact(body)) {
    const names = body.meta.map(({ name }) => name)
    return body.data.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at]])))
  }
  throw serverError(typeof body === 'string' ? body : '', {
    status,
    code: headers.get('x-clickhouse-exception-code'),
  })
}

function isCompact(body: unknown): body is Compact {
  return typeof body === 'object' && body !== null && 'meta' in body && 'data' in body
}

/**
 * Reads an error such as `Code: 60. DB::Exception: Unknown table … (UNKNOWN_TABLE) (version 26.7.2.1)`,
 * without its frame.
 */
function serverError(text: string, answer: { readonly status: number; readonly code: string | null }): Error {
  const [, number, detail] =
    /Code: (\d+)[.,] (?:e\.displayText\(\) = )?(?:DB::Exception: )?([^]*?)(?:, e\.what\(\) = .*)?(?: \(version .*)?\s*$/.exec(
      text,
    ) ?? []
  const [line = ''] = (detail ?? text).trim().split('\n')
  const hasReason = line !== '' && !line.startsWith('<') && answer.status !== 200
  const message = hasReason ? line.slice(0, 500) : `it answered with status ${answer.status}`
  const own = number ?? answer.code
  // a gateway, or the login page of ClickHouse Cloud, has no code of the server
  return Object.assign(new Error(message), {
    code: own === null ? `HTTP_${answer.status}` : `CLICKHOUSE_${own}`,
  })
}
