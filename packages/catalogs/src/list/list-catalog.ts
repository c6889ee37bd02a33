import type { Catalog, CatalogTable, DialectName, Warning } from '@stagecraft/spec'
import { compareTables } from '../find-table.ts'
import { findListed, type Listed, selectListed } from './find-listed.ts'

export interface ListCatalogOptions {
  readonly dialect: DialectName | undefined
  /** The origin of the list, for messages: `columns.yml`. */
  readonly origin: string
  /** Further names of the tables, tried when the tables' own names lead nowhere. Default: none. */
  readonly aliases?: readonly Listed[]
  /** As the member of the catalog. Default false. */
  readonly statesDatabase?: boolean
  /** As the member of the catalog. Default: none. */
  readonly warnings?: readonly Warning[]
}

/** A catalog over tables that are all known: from a file of columns, CREATE TABLE statements, dbt artifacts. */
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
