import { type CatalogTable, compareText } from '@stagecraft/spec'

/** Orders tables by their stored names. */
export function compareTables(a: CatalogTable, b: CatalogTable): number {
  return (
    compareText(a.database ?? '', b.database ?? '') ||
    compareText(a.schema ?? '', b.schema ?? '') ||
    compareText(a.name, b.name)
  )
}
