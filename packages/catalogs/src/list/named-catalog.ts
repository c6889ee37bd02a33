import type { Catalog, CatalogTable, DialectName, SourceName } from '@stagecraft/spec'
import { compareTables, missingSource } from '../find-table.ts'
import { findListed, type Lists, selectListed } from './find-listed.ts'

/** The place of a table. An unknown level matches any request. */
export interface TableEntry {
  readonly database?: string | undefined
  readonly schema?: string | undefined
  readonly name: string
}

export interface NamedCatalogOptions<Entry> {
  /** The dialect of the type names; undefined if it is unknown. */
  readonly dialect: DialectName | undefined
  /** The origin of the names, for messages: `the newest scan`. */
  readonly origin: string
  /** The same as in `Catalog`. Default false. */
  readonly statesDatabase?: boolean
  /** Reads the tables of entries, in any order; deleted ones are left out. */
  readonly load: (entries: readonly Entry[]) => Promise<readonly CatalogTable[]>
}

/** Creates a catalog of tables with known names, which are read on demand. */
export function namedCatalog<Entry extends TableEntry>(
  entries: readonly Entry[],
  { dialect, load, origin, statesDatabase = false }: NamedCatalogOptions<Entry>,
): Catalog {
  const lists = listsOf(entries, origin)
  return {
    dialect,
    statesDatabase,
    tables: async (selector) => {
      const selected = [...new Set(selectListed(selector, lists))]
      return selected.length === 0 ? [] : (await load(selected)).toSorted(compareTables)
    },
    describe: async (source) => {
      const [table] = await load([findListed(source, lists)])
      if (table) return table
      throw missingSource(source, { level: 'table', place: origin, names: [] })
    },
    close: async () => {},
  }
}

/**
 * Finds the entry for a source name.
 *
 * @param origin The origin of the names, for messages.
 * @throws {StagecraftError} INVALID_SOURCE with the nearest names if there is none, or the name matches
 * several.
 */
export function findEntry<Entry extends TableEntry>(
  source: SourceName,
  entries: readonly Entry[],
  origin: string,
): Entry {
  return findListed(source, listsOf(entries, origin))
}

function listsOf<Entry extends TableEntry>(entries: readonly Entry[], origin: string): Lists<Entry> {
  return { own: entries.map((entry) => ({ ...entry, table: entry })), aliases: [], origin }
}
