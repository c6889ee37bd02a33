import type { Catalog, CatalogTable, DialectName, Warning } from '@stagecraft/spec'
import { compareTables } from '../find-table.ts'
import { findListed, type Listed, selectListed } from './find-listed.ts'

export interface ListCatalogOptions {
  readonly dialect: DialectName | undefined
  /** The origin of the list, for messages: `columns.yml`. */
  readonly origin: string
  /** Other names of the tables, tried if the tables' own names do not match. Default: none. */
  readonly aliases?: readonly Listed[]
  /** The same as in `Catalog`. Default false. */
  readonly statesDatabase?: boolean
  /** The same as in `Catalog`. Default: none. */
  readonly warnings?: readonly Warning[]
}

/** Creates a catalog of known tables: from a file of columns, CREATE TABLE statements, or dbt artifacts. */
export function listCatalog(tables: readonly CatalogTable[], options: ListCatalogOptions): Catalog {
  const { aliases = [], dialect, origin, statesDatabase = false, warnings = [] } = options
  const lists = { own: tables.map((table) => ({ ...table, table })), aliases, origin }
  return {
    dialect,
    statesDatabase,
    warnings,
    tables: async (selector) => [...new Set(selectListed(selector, lists))].toSorted(compareTables),
    describe: async (source) => findListed(source, lists),
    close: async () => {},
  }
}
