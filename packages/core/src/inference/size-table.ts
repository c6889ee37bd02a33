import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable, TableSize } from '@stagecraft/spec'
import { countUpTo, type Query } from './ask-warehouse.ts'
import { chooseReading, EXACT_ROWS, type Reading, type ReadingLimits, WHOLE, WHOLE_ROWS } from './reading.ts'

/** The largest tables to read. */
export interface Budget {
  /**
   * Tables with more rows are neither read nor checked: names decide.
   *
   * @default Infinity
   */
  readonly maxRows?: number
  /** The same limit for their bytes, if the warehouse reports them. @default Infinity */
  readonly maxBytes?: number
}

/** The size of a table, and the cost of its profile if the warehouse reports it in advance. */
export interface TableCost extends TableSize {
  /** The bytes that the statements of its profile would read, from a dry run; stored answers count as 0. */
  readonly bytesRead?: number
}

export interface SizeTableOptions extends Budget {
  readonly dialect: Dialect
  readonly query: Query
  readonly limits?: ReadingLimits
  /** The size that the warehouse reports; undefined if it reports none. */
  readonly size: TableCost | undefined
}

/** The way in which a table is read, or the reason why it is skipped. */
export type Sized = { readonly reading: Reading } | { readonly tooLarge: string }

/** The factor above or below a limit at which an estimate is trusted. */
const MARGIN = 2

/**
 * Decides how to read a table, from the estimate of the warehouse. Without an estimate, or if it is too near to a
 * limit, the rows are counted up to that limit. Rejects as the query does.
 */
export async function sizeTable(
  table: CatalogTable,
  { dialect, limits = {}, maxBytes = Infinity, maxRows = Infinity, query, size }: SizeTableOptions,
): Promise<Sized> {
  const { bytes: space = 0, bytesRead, mostRows = Infinity, rows: estimate } = size ?? {}
  const bytes = bytesRead ?? space
  if (bytes > maxBytes) {
    const what = bytesRead === undefined ? 'it takes' : 'its profile reads'
    return { tooLarge: `${what} ${printBytes(bytes)}, more than ${printBytes(maxBytes)}` }
  }
  const { exactRows = EXACT_ROWS, wholeRows = WHOLE_ROWS } = limits
  // any estimate decides how a table is read; only one far from the limit decides whether it is read
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

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']

/** Prints a number of bytes for people: `1.2 GB`. */
export function printBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** power).toLocaleString('en-US', { maximumFractionDigits: 1 })} ${UNITS[power]}`
}
