import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable } from '@stagecraft/spec'
import { cast } from '../plan/conversions.ts'
import { quoteIdentifier } from '../sql/identifiers.ts'
import { printRelation } from './print-relation.ts'

/** How a table is read, by its size. */
export interface Reading {
  /** Different values are counted or, of more rows, estimated. */
  readonly distinct: 'exact' | 'estimated'
  /** The share of the rows that is read, by chance; 1 for all. */
  readonly share: number
  /** Rows are drawn one by one and not by the page: of small tables with few pages all may be passed over. @default false */
  readonly isByRow?: boolean
  /** Different values of a column, as far as they are known. @default none is known */
  readonly distinctOf?: (column: string) => number
}

export const WHOLE: Reading = { distinct: 'exact', share: 1 }

/** Says how each table is read. */
export type ReadingOf = (table: CatalogTable) => Reading

export const readWhole: ReadingOf = () => WHOLE

export interface ReadingLimits {
  /** Up to so many rows different values are counted; above they are estimated, or counted in a sample. @default 5,000,000 */
  readonly exactRows?: number
  /** Of tables with more rows a sample is read. @default 50,000,000 */
  readonly wholeRows?: number
  /** Rows of a sample, about. @default 1,000,000 */
  readonly sampleRows?: number
}

export const EXACT_ROWS = 5_000_000
export const WHOLE_ROWS = 50_000_000
const SAMPLE_ROWS = 1_000_000

/** Decides how a table of so many rows is read. */
export function chooseReading(
  rows: number,
  dialect: Dialect,
  { exactRows = EXACT_ROWS, sampleRows = SAMPLE_ROWS, wholeRows = WHOLE_ROWS }: ReadingLimits,
): Reading {
  if (rows <= exactRows) return WHOLE
  const canEstimate = dialect.sampling.approximateDistinct !== undefined
  if (canEstimate && rows <= wholeRows) return { distinct: 'estimated', share: 1 }
  return { distinct: 'exact', share: Math.min(1, sampleRows / rows) }
}

/** The rows of a table that are read: the table itself, or a sample as a table. */
export function printRows(
  table: CatalogTable,
  { isByRow = false, share }: Reading,
  dialect: Dialect,
): string {
  const relation = printRelation(table, dialect)
  if (share >= 1) return relation
  const { sampling } = dialect
  const isStored = table.kind !== 'view' && table.kind !== 'external' && table.location === undefined
  if (isStored && !isByRow && sampling.table !== undefined)
    return sampling.table.replace('{x}', () => relation).replace('{percent}', plain(share * 100))
  return `(select * from ${relation} where ${sampling.row.replace('{share}', plain(share))}) as sampled_rows`
}

/** A number without an exponent. */
function plain(number: number): string {
  return number.toFixed(12).replace(/\.?0+$/, '')
}

const VALUES_OF_A_CLASS = 50

/**
 * The condition that takes a share of the different values of columns: all rows that have them, or none. So what is
 * repeated in it is repeated in the table, and a value is there on both sides of a reference.
 */
export function printClass(
  columns: readonly string[],
  { distinctOf, share }: Reading,
  dialect: Dialect,
): string {
  const classes = Math.max(1, Math.round(1 / share))
  const text = dialect.types.cast.string ?? 'varchar'
  // one column will do, and is quicker, if its values are spread over the classes
  const spread = columns.find((name) => (distinctOf?.(name) ?? 0) >= VALUES_OF_A_CLASS * classes)
  const hashes = (spread === undefined ? columns : [spread]).map((name) => {
    const value = cast(quoteIdentifier(name, dialect), text, dialect)
    return `${dialect.sampling.hash.replaceAll('{x}', () => value)} % ${classes}`
  })
  const [only = ''] = hashes
  return hashes.length === 1 ? `${only} = 0` : `(${hashes.join(' + ')}) % ${classes} = 0`
}

/** The rows of a table up to a bound: the statement ends as soon as it has found more. */
export function printBoundedCount(table: CatalogTable, bound: number, dialect: Dialect): string {
  const first = dialect.sampling.first
    .replace('{x}', () => printRelation(table, dialect))
    .replace('{n}', `${bound + 1}`)
  return `select count(*) as row_count from (${first}) as first_rows`
}
