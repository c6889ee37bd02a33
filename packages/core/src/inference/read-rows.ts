import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable, TableProfile } from '@stagecraft/spec'
import { findForbidden, profileTable, type Query, Unanswered } from './ask-warehouse.ts'
import { reasonOf } from './asking.ts'
import type { Reading } from './reading.ts'

export interface ReadRowsOptions {
  readonly query: Query
  /** Runs a statement and stores no answer: permissions change without the rows. */
  readonly ask: Query
  readonly dialect: Dialect
  readonly reading: Reading
}

/** A table as it was read. */
export interface RowsRead {
  readonly profile: TableProfile
  readonly reading: Reading
  /** The columns that may not be read. @default none */
  readonly forbidden?: { readonly columns: readonly string[]; readonly reason: string }
}

/** Reads the profile of a table; if the warehouse refuses, that of the columns that may be read. */
export async function readRows(table: CatalogTable, options: ReadRowsOptions): Promise<RowsRead> {
  const refused = await readSample(table, options).catch((error: unknown) => ({ error }))
  if (!('error' in refused)) return refused
  const { error } = refused
  if (error instanceof Unanswered) throw error
  const forbidden = await findForbidden(table, options.ask, options.dialect)
  if (forbidden.length === 0) throw error
  const columns = table.columns.filter((column) => !forbidden.includes(column))
  return {
    ...(await readSample({ ...table, columns }, options)),
    forbidden: { columns: forbidden.map(({ name }) => name), reason: reasonOf(error) },
  }
}

/** If a sample of pages is empty, rows are sampled. */
async function readSample(table: CatalogTable, options: ReadRowsOptions): Promise<RowsRead> {
  const { dialect, query, reading } = options
  const profile = await profileTable(table, query, dialect, reading)
  if (reading.share >= 1 || profile.rows > 0 || reading.isByRow) return { profile, reading }
  return readSample(table, { ...options, reading: { ...reading, isByRow: true } })
}
