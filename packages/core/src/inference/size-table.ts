import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable, TableSize } from '@stagecraft/spec'
import { countUpTo, type Query } from './ask-warehouse.ts'
import { chooseReading, EXACT_ROWS, type Reading, type ReadingLimits, WHOLE, WHOLE_ROWS } from './reading.ts'

/** The size up to which tables are read at all. */
export interface Budget {
  /**
   * Tables with more rows are not read, and nothing is looked up in them: names have to do.
   *
   * @default Infinity
   */
  readonly maxRows?: number
  /** The same for the space that rows take, where the warehouse says it. @default Infinity */
  readonly maxBytes?: number
}

export interface SizeTableOptions extends Budget {
  readonly dialect: Dialect
  readonly query: Query
  readonly limits?: ReadingLimits
  /** What the warehouse says of the table; undefined where nobody can ask it. */
  readonly size: TableSize | undefined
}

/** How a table is read, or the reason why it is not. */
export type Sized = { readonly reading: Reading } | { readonly tooLarge: string }

/** An estimate that is so many times off a limit is believed. */
const MARGIN = 2

/**
 * Decides how a table is read, by the estimate of the warehouse. Where there is none, or one too near to `maxRows`, its rows
 * are counted, not further than to the limit. Rejects as the query does.
 */
export async function sizeTable(
  table: CatalogTable,
  { dialect, limits = {}, maxBytes = Infinity, maxRows = Infinity, query, size }: SizeTableOptions,
): Promise<Sized> {
  const { bytes = 0, mostRows = Infinity, rows: estimate } = size ?? {}
  if (bytes > maxBytes)
    return { tooLarge: `it takes ${printBytes(bytes)}, more than ${printBytes(maxBytes)}` }
  const { exactRows = EXACT_ROWS, wholeRows = WHOLE_ROWS } = limits
  // an estimate will do for how a table is read; for whether it is, only one that is far from the limit
  const own = size === undefined || estimate !== undefined ? [] : [exactRows, wholeRows]
  const bounds = [maxRows, ...own].filter((bound) => bound <= maxRows && bound !== Infinity)
  const open = bounds.filter((bound) => mostRows > bound && isNear(estimate, bound))
  const rows = open.length === 0 ? (estimate ?? 0) : await count(Math.max(...open))
  if (rows > maxRows) return { tooLarge: `it has more than ${maxRows.toLocaleString('en-US')} rows` }
  return { reading: size === undefined ? WHOLE : chooseReading(rows, dialect, limits) }

  async function count(bound: number): Promise<number> {
    const counted = await countUpTo(bound, table, { dialect, query })
    return counted > bound ? Math.max(counted, estimate ?? 0) : counted
  }
}

function isNear(estimate: number | undefined, bound: number): boolean {
  return estimate === undefined || (estimate > bound / MARGIN && estimate <= bound * MARGIN)
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB']

function printBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** power).toLocaleString('en-US', { maximumFractionDigits: 1 })} ${UNITS[power]}`
}
