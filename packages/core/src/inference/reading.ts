import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable } from '@stagecraft/spec'
import { cast } from '../plan/conversions.ts'
import { quoteIdentifier } from '../sql/identifiers.ts'
import { parseType } from '../sql/types.ts'
import type { ColumnsOf } from './inference.ts'
import { printRelation } from './print-relation.ts'

/** How a table is read, by its size. */
export interface Reading {
  /** Distinct values are counted, or estimated in larger tables. */
  readonly distinct: 'exact' | 'estimated'
  /** The share of the rows to read, chosen at random; 1 for all. */
  readonly share: number
  /** Samples rows instead of pages: a sample of pages of a small table may be empty. @default false */
  readonly isByRow?: boolean
  /** True if a second statement counts the forms of texts, only in columns that have any. @default false */
  readonly formsApart?: boolean
  /** Distinct values of a column, if known. @default not known */
  readonly distinctOf?: (column: string) => number
  /** Returns true if a column is known to have a value in every row. @default not known */
  readonly isFilled?: (column: string) => boolean
  /** Returns true if a column is known to have another value in every row. @default not known */
  readonly isUnique?: (column: string) => boolean
  /** True if the table is so small that its checks are combined with those of other small tables. @default false */
  readonly isSmall?: boolean
}

export const WHOLE: Reading = { distinct: 'exact', share: 1 }

/** Decides how each table is read. */
export type ReadingOf = (table: CatalogTable) => Reading

export const readWhole: ReadingOf = () => WHOLE

export interface ReadingLimits {
  /**
   * Tables with at most this many rows have their distinct values counted. In larger ones, they are estimated, or
   * counted in a sample. @default 5,000,000
   */
  readonly exactRows?: number
  /** Tables with more rows are sampled. @default 50,000,000 */
  readonly wholeRows?: number
  /** In tables with more rows, a first query finds the columns with formatted texts. @default 100,000 */
  readonly manyRows?: number
  /** The approximate number of rows of a sample. @default 1,000,000 */
  readonly sampleRows?: number
}

export const EXACT_ROWS = 5_000_000
export const WHOLE_ROWS = 50_000_000
const SAMPLE_ROWS = 1_000_000
const MANY_ROWS = 100_000

/** Decides how to read a table with this number of rows. */
export function chooseReading(
  rows: number,
  dialect: Dialect,
  {
    exactRows = EXACT_ROWS,
    manyRows = MANY_ROWS,
    sampleRows = SAMPLE_ROWS,
    wholeRows = WHOLE_ROWS,
  }: ReadingLimits,
): Reading {
  const formsApart = rows > manyRows
  if (rows <= exactRows) return { ...WHOLE, formsApart }
  const canEstimate = dialect.sampling.approximateDistinct !== undefined
  if (canEstimate && rows <= wholeRows) return { distinct: 'estimated', share: 1, formsApart }
  return { distinct: 'exact', share: Math.min(1, sampleRows / rows), formsApart }
}

/** Prints the relation to read: the table itself, or a sample of it. */
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

/** Prints a number without an exponent. */
function plain(number: number): string {
  return number.toFixed(12).replace(/\.?0+$/, '')
}

const VALUES_OF_A_CLASS = 50

/**
 * Returns the condition that selects a share of the distinct values of columns, each with all its rows. So a value
 * that repeats in the sample repeats in the table, and both sides of a reference have the same values.
 */
export function printClass(
  { columns, table }: ColumnsOf,
  { distinctOf, share }: Reading,
  dialect: Dialect,
): string {
  const classes = Math.max(1, Math.round(1 / share))
  const text = dialect.types.cast.string ?? 'varchar'
  // one column is enough, and faster, if its values are spread over the classes
  const spread = columns.find((name) => (distinctOf?.(name) ?? 0) >= VALUES_OF_A_CLASS * classes)
  const hashes = (spread === undefined ? columns : [spread]).map((name) => {
    const stored = quoteIdentifier(name, dialect)
    const type = table.columns.find((column) => column.name === name)?.type ?? ''
    const isBytes = parseType(type, dialect).family === 'binary'
    const hash = isBytes
      ? dialect.sampling.hashOfBytes.replaceAll('{x}', () => stored)
      : dialect.sampling.hash.replaceAll('{x}', () => cast(stored, text, dialect))
    return `${hash} % ${classes}`
  })
  const [only = ''] = hashes
  return hashes.length === 1 ? `${only} = 0` : `(${hashes.join(' + ')}) % ${classes} = 0`
}

/** Prints a count of the rows of a table up to a bound: the statement ends as soon as it has found more. */
export function printBoundedCount(table: CatalogTable, bound: number, dialect: Dialect): string {
  const first = dialect.sampling.first
    .replace('{x}', () => printRelation(table, dialect))
    .replace('{n}', `${bound + 1}`)
  return `select count(*) as row_count from (${first}) as first_rows`
}
