import type { Warning } from '@stagecraft/spec'
import { selectedColumns } from '../merge/merge-sql.ts'
import type { SqlSyntax } from '../merge/scan-sql.ts'
import { findSelectLists } from '../merge/select-list.ts'
import type { YamlEntry } from '../yaml/yaml-edit.ts'
import type { ArrangedTables } from './arrange-tables.ts'
import type { PlannedFile } from './plan-types.ts'
import { presentFiles } from './present-files.ts'

/** Warns of columns that models go on reading though the warehouse no longer has them: dbt fails on them. */
export function goneColumns({ tables }: ArrangedTables): readonly Warning[] {
  return tables.flatMap(({ drifts, key, model }) => {
    const gone = drifts.flatMap(({ before, column, kind }) =>
      kind === 'removed' ? (column ?? []) : kind === 'renamed' ? (before ?? []) : [],
    )
    if (gone.length === 0) return []
    const message = `${key} has no ${gone.join(', ')} any more, and ${model.name} still reads ${gone.length === 1 ? 'it' : 'them'}; --prune takes out what was generated for ${gone.length === 1 ? 'it' : 'them'}`
    return [{ code: 'COLUMN_GONE', message }]
  })
}

/**
 * Warns of columns that are tested though the model, as a person wrote it, does not select them: dbt fails on such tests.
 * Says nothing of models whose text does not tell what they select.
 */
export function unselectedColumns(
  { tables }: ArrangedTables,
  files: readonly PlannedFile[],
  syntax: SqlSyntax,
): readonly Warning[] {
  const texts = new Map(files.map(({ after, path }) => [path, after]))
  const present = presentFiles(texts)
  const properties = files.map(({ path }) => path).filter((path) => /\.ya?ml$/.test(path))
  return tables.flatMap(({ isSelected, model, wanted }) => {
    const sql = texts.get(model.path)
    if (!isSelected || sql === undefined || sql === wanted.sql) return []
    const path = properties.find((file) => present.entries(file).properties.has(model.name)) ?? ''
    const entry = present.entries(path).properties.get(model.name)?.entry
    if (!entry) return []
    const names = namesIn(sql, syntax)
    const missing = names ? testedColumns(entry).filter((name) => !names.has(name.toLowerCase())) : []
    if (missing.length === 0) return []
    const message = `${path} tests ${missing.join(', ')} of ${model.name}, which the model does not select; rename or remove what is said of it there`
    return [{ code: 'COLUMN_NOT_SELECTED', message }]
  })
}

/** The names of all columns that any select of a model has, in lower case; undefined when its text does not tell. */
function namesIn(sql: string, syntax: SqlSyntax): ReadonlySet<string> | undefined {
  if (!selectedColumns(sql, syntax)) return undefined
  const items = findSelectLists(sql, syntax).flatMap((list) => list.items)
  return new Set(items.flatMap(({ name }) => name?.toLowerCase() ?? []))
}

function testedColumns({ columns }: YamlEntry): readonly string[] {
  if (!Array.isArray(columns)) return []
  return columns.flatMap((column) => {
    if (typeof column !== 'object' || column === null || Array.isArray(column)) return []
    const { data_tests: dataTests, name, tests } = column as YamlEntry
    const isTested = [dataTests, tests].some((list) => Array.isArray(list) && list.length > 0)
    return isTested && typeof name === 'string' ? [name] : []
  })
}
