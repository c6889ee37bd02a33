import { type IndexedSource, type IndexedTable, sourceValues } from '@stagecraft/dbt'
import type { LintProject } from './lint-project.ts'
import { asMap } from './model-config.ts'
import type { Entry } from './properties-file.ts'

/** A table of a source, and what YAML says of it. */
export interface SourceTable {
  readonly source: IndexedSource
  readonly table: IndexedTable
  /** Its entry in YAML. */
  readonly entry: Entry | undefined
  /** The entry of its source in the same file. */
  readonly sourceEntry: Entry | undefined
}

/** Returns all tables of sources that dbt does not leave out because they are disabled. */
export function sourceTables(project: LintProject): readonly SourceTable[] {
  const tables = new Map<string, Pick<SourceTable, 'entry' | 'sourceEntry'>>()
  for (const { entries, file } of project.properties)
    for (const source of entries('sources'))
      for (const table of source.entries('tables'))
        tables.set(`${file.path} ${source.name}.${table.name}`, { entry: table, sourceEntry: source })
  return project.index.sources
    .flatMap((source) =>
      source.tables.map((table): SourceTable => {
        const written = tables.get(`${table.path} ${source.name}.${table.name}`)
        return { source, table, entry: written?.entry, sourceEntry: written?.sourceEntry }
      }),
    )
    .filter((table) => isEnabled(project, table) !== false)
}

/**
 * Returns true for a table that dbt knows; undefined if Jinja decides it. The innermost setting counts:
 * https://docs.getdbt.com/reference/resource-configs/enabled
 */
export function isEnabled(
  { index }: LintProject,
  { entry, source, sourceEntry, table }: SourceTable,
): boolean | undefined {
  const written = [entry, sourceEntry].map((one) => asMap(one?.get('config'))['enabled'])
  const place = { path: table.path, source: source.name, table: table.name }
  const set =
    written.find((value) => value !== undefined) ?? sourceValues(place, 'enabled', index.settings).at(-1)
  if (set === undefined) return true
  return typeof set === 'boolean' ? set : undefined
}

/** Returns true for a table that dbt-duckdb reads from files. */
export function isExternalFile({ entry, sourceEntry }: SourceTable): boolean {
  return [entry, sourceEntry]
    .flatMap((one) => [one?.get('meta'), one?.get('config'), asMap(one?.get('config'))['meta']])
    .some((meta) => asMap(meta)['external_location'] !== undefined)
}
