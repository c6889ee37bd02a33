import type { CatalogTable, Column } from '@stagecraft/spec'
import { readTruth } from '../dbt/truth.ts'

/** Columns of a table that identify its rows. */
export interface TrueKey {
  readonly table: string
  readonly columns: readonly string[]
}

/** A database as the engine is shown it, and beside that what it is not told. */
export interface PlanDatabase {
  readonly name: string
  /** Without keys; with types, NOT NULL and lists of values. */
  readonly tables: readonly CatalogTable[]
  /** Primary keys and unique constraints. */
  readonly keys: readonly TrueKey[]
  readonly references: readonly (TrueKey & { readonly parent: TrueKey })[]
}

export interface DatabaseOptions {
  /** Most tables, the first by name. @default all */
  readonly limit?: number | undefined
}

/** A database of test/fixtures/truth; keys count as true by its documentation, also where few rows break them. */
export function truthDatabase(name: string, { limit }: DatabaseOptions = {}): PlanDatabase {
  const { enums, fks, tables } = readTruth(name)
  const taken = tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, limit)
  const isTaken = (table: string): boolean => taken.some((other) => other.name === table)
  return {
    name,
    tables: taken.map(({ columns, name: table }) => ({
      schema: name,
      name: table,
      columns: columns.map((column): Column => {
        const list = enums.find(
          (other) => other.table === table && other.column === column.name && other.source !== 'marts',
        )
        return {
          name: column.name,
          type: column.duckdb_type,
          nullable: column.nullable,
          ...(list && { values: list.values }),
        }
      }),
    })),
    keys: taken.flatMap(({ name: table, pk, uniques }) =>
      [pk, ...uniques].filter((key) => key.length > 0).map((columns) => ({ table, columns })),
    ),
    references: fks
      .filter((key) => isTaken(key.table) && isTaken(key.ref_table))
      .map(({ columns, ref_columns, ref_table, table }) => ({
        table,
        columns,
        parent: { table: ref_table, columns: ref_columns },
      })),
  }
}
