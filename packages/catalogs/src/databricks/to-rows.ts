import type { Address } from '../network/address.ts'
import { refused } from '../network/connection-failed.ts'
import type { Row } from '../warehouse/statement.ts'

/** The description of a result: https://docs.databricks.com/api/workspace/statementexecution/getstatement */
export interface Manifest {
  readonly schema?: { readonly columns?: readonly { readonly name: string; readonly type_name?: string }[] }
  readonly total_row_count?: number
  /** True if the result was cut at a limit. */
  readonly truncated?: boolean
}

export interface Chunk {
  readonly data_array?: readonly (readonly (string | null)[])[]
  readonly next_chunk_internal_link?: string
}

interface ToRowsOptions {
  readonly address: Address
  /** Reads the chunk behind a link. */
  readonly read: (link: string) => Promise<Chunk>
}

/** Only links into the API of this workspace are followed. */
const LINK = /^\/api\/2\.0\/sql\/statements\/[\w-]+\/result\/chunks\/\d+(?:\?[\w=&%.-]*)?$/

/**
 * Reads all chunks of a result, and its cells by their types.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for an incomplete result.
 */
export async function toRows(
  { schema, total_row_count: total, truncated = false }: Manifest = {},
  first: Chunk = {},
  { address, read }: ToRowsOptions,
): Promise<readonly Row[]> {
  const columns = schema?.columns ?? []
  const rows: Row[] = []
  for (let chunk = first; ;) {
    for (const cells of chunk.data_array ?? [])
      rows.push(
        Object.fromEntries(
          columns.map(({ name, type_name: type }, at) => [name, toCell(cells[at] ?? null, type)]),
        ),
      )
    const link = chunk.next_chunk_internal_link
    if (link === undefined) break
    if (!LINK.test(link)) throw incomplete('a link leads to another host')
    chunk = await read(link)
    if ((chunk.data_array ?? []).length === 0) break
  }
  if (truncated) throw incomplete('it was cut at a limit')
  if (total !== undefined && rows.length !== total)
    throw incomplete(`only ${rows.length} of ${total} rows arrived`)
  return rows

  function incomplete(problem: string): Error {
    return refused({ reason: `the result is incomplete: ${problem}`, check: 'the number of tables' }, address)
  }
}

const INTEGERS = new Set(['BYTE', 'SHORT', 'INT', 'LONG'])
const FLOATS = new Set(['FLOAT', 'DOUBLE'])

/** Converts a cell, which arrives as text, and stays text if a number would lose digits. */
function toCell(text: string | null, type = ''): unknown {
  if (text === null) return null
  if (type === 'BOOLEAN') return text === 'true'
  const number = Number(text)
  const isExact = INTEGERS.has(type)
    ? Number.isSafeInteger(number)
    : FLOATS.has(type) && Number.isFinite(number)
  return isExact ? number : text
}
