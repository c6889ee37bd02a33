import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable, TableSize } from '@stagecraft/spec'
import { profileStatements } from './profile-statements.ts'
import { chooseReading, type ReadingLimits } from './reading.ts'
import type { TableCost } from './size-table.ts'

export interface CostTablesOptions {
  readonly dialect: Dialect
  readonly limits?: ReadingLimits | undefined
  readonly sizes: readonly TableSize[]
  /** Returns the bytes of the first statements about a table; rejects if the warehouse refuses one. */
  readonly bytesRead: (table: CatalogTable, statement: string) => Promise<number>
}

/** A dry run takes less than a second and uses no compute of the warehouse. */
const DRY_RUNS_AT_ONCE = 8

/**
 * Returns the sizes of tables with the bytes that their profile statements would read. If the warehouse refuses a dry
 * run, they stay unknown: reading the table then reports the reason.
 */
export async function costTables(
  tables: readonly CatalogTable[],
  { sizes, ...options }: CostTablesOptions,
): Promise<readonly TableCost[]> {
  const costs: TableCost[] = []
  for (let start = 0; start < tables.length; start += DRY_RUNS_AT_ONCE) {
    const some = tables.slice(start, start + DRY_RUNS_AT_ONCE)
    const read = await Promise.all(
      some.map((table, at) => costTable(table, { ...options, size: sizes[start + at] ?? {} })),
    )
    costs.push(...read)
  }
  return costs
}

interface CostTableOptions extends Omit<CostTablesOptions, 'sizes'> {
  readonly size: TableSize
}

async function costTable(
  table: CatalogTable,
  { bytesRead, dialect, limits = {}, size }: CostTableOptions,
): Promise<TableCost> {
  const reading = chooseReading(size.rows ?? 0, dialect, limits)
  const read = profileStatements(table, dialect, reading).map(({ sql }) => bytesRead(table, sql))
  const bytes = await Promise.all(read).catch(() => undefined)
  return { ...size, ...(bytes && { bytesRead: bytes.reduce((sum, one) => sum + one, 0) }) }
}
