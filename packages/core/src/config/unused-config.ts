import type { CatalogTable, Config, Warning } from '@stagecraft/spec'
import { lookUp } from './settings.ts'

/**
 * Finds schemas and tables in the configuration that do not exist, most likely because of a misspelled name.
 * Reports only within schemas that were read as a whole.
 *
 * @param isWhole Whether all tables of a schema were asked for.
 * @param isAll Whether all schemas were.
 */
export function unusedConfig(
  { sources = {} }: Config,
  tables: readonly CatalogTable[],
  { isAll, isWhole }: { readonly isAll: boolean; readonly isWhole: (schema: string) => boolean },
): readonly Warning[] {
  const bySchema = Map.groupBy(tables, ({ schema = '' }) => schema.toLowerCase())
  return Object.entries(sources).flatMap(([source, config]) => {
    const schema = source.slice(source.lastIndexOf('.') + 1).toLowerCase()
    const found = bySchema.get(schema)
    if (!found)
      return isAll && !config.exclude ? [unused(`sources.${source}`, 'there is no such schema')] : []
    if (!isAll && !isWhole(schema)) return []
    const names = Object.fromEntries(found.map((table) => [table.name, table]))
    return Object.entries(config.tables ?? {})
      .filter(([table, { exclude }]) => !exclude && lookUp(names, table) === undefined)
      .map(([table]) => unused(`sources.${source}.tables.${table}`, 'the schema has no such table'))
  })
}

/** Finds columns in the configuration that a table does not have. */
export function unusedColumns(
  configured: Readonly<Record<string, unknown>> | undefined,
  { columns }: Pick<CatalogTable, 'columns'>,
): readonly Warning[] {
  if (configured === undefined) return []
  const names = Object.fromEntries(columns.map((column) => [column.name, column]))
  return Object.keys(configured)
    .filter((column) => lookUp(names, column) === undefined)
    .map((column) => unused(`columns.${column}`, 'the table has no such column'))
}

function unused(path: string, reason: string): Warning {
  return { code: 'CONFIG_NOT_USED', message: `${path} in the configuration has no effect: ${reason}` }
}
