import { openCatalog } from '@stagecraft/catalogs'
import type { CatalogTable } from '@stagecraft/spec'
import type { Place } from './warehouses.ts'

/** The names of a few tables of a warehouse that have every type of column between them, and of those that are asked for. */
export async function coveringTables(
  { catalog }: Place,
  asked: readonly string[],
): Promise<readonly string[]> {
  const opened = await openCatalog(catalog)
  try {
    const tables = (await opened.tables({})).toSorted((a, b) => b.columns.length - a.columns.length)
    const first = tables.filter((table) => asked.includes(nameOf(table)))
    const seen = new Set<string>()
    const chosen = [...first, ...tables].filter(({ columns }) => {
      const before = seen.size
      for (const { type } of columns) seen.add(type)
      return seen.size > before
    })
    return [...new Set([...asked, ...chosen.map(nameOf)])]
  } finally {
    await opened.close()
  }
}

const nameOf = ({ name, schema }: CatalogTable): string => `${schema}.${name}`
