import type { Warning } from '@stagecraft/spec'
import { lockKey } from '../lock/lock.ts'
import { type FinalColumn, finalColumns } from '../merge/final-columns.ts'
import { compareName, fold, namesRead } from '../merge/output-name.ts'
import { isCode, scanSql, type SqlSyntax } from '../merge/scan-sql.ts'
import type { EditPlace, YamlEntry } from '../yaml/yaml-edit.ts'
import type { ArrangedTables } from './arrange-tables.ts'
import type { ArrangedEntry } from './arranged-entry.ts'
import type { PlanInput } from './plan-input.ts'
import type { PlannedFile } from './plan-types.ts'
import type { YamlInput } from './plan-yaml.ts'
import { presentFiles } from './present-files.ts'

/** Warns that a model follows a renamed table, which may be another table. */
export function renamedTables({ tables }: ArrangedTables): readonly Warning[] {
  return tables.flatMap(({ key, locked, model, renamedFrom }) => {
    if (renamedFrom === undefined || !locked) return []
    const former = lockKey(locked.item)
    const reason =
      former.toLowerCase() === key.toLowerCase() ? 'its name in another case' : 'its columns and keys'
    const message = `${former} is gone and ${key} has ${reason}, so ${model.name} reads ${key} from now on; if that is a different table, run stagecraft forget ${former} first`
    return [{ code: 'TABLE_RENAMED', message }]
  })
}

/**
 * Warns of deleted columns that models still read, on which dbt fails. Pruning removes them unless a person wrote
 * about them.
 */
export function removedColumns(
  { tables }: ArrangedTables,
  files: readonly PlannedFile[],
  { prune = false, syntax }: Pick<PlanInput, 'prune' | 'syntax'>,
): readonly Warning[] {
  const texts = new Map(files.map(({ after, path }) => [path, after]))
  return tables.flatMap(({ drifts, key, model }) => {
    const removed = drifts.flatMap(({ column, kind }) => (kind === 'removed' ? (column ?? []) : []))
    const sql = texts.get(model.path)
    // a `*` passes columns on without naming them
    const gone = removed.filter((column) => (sql === undefined ? !prune : reads(sql, column, syntax)))
    if (gone.length === 0) return []
    const them = gone.length === 1 ? 'it' : 'them'
    const remedy = prune
      ? `remove ${them} from ${model.path}`
      : `--prune removes the code generated for ${them}`
    const message = `${key} no longer has ${gone.join(', ')}, but ${model.name} still reads ${them}, so dbt fails; ${remedy}`
    return [{ code: 'COLUMN_GONE', message }]
  })
}

/** Returns true if a text uses the name of a column, other than as an alias. */
export function reads(sql: string, column: string, syntax: SqlSyntax): boolean {
  const code = scanSql(sql, syntax).filter(isCode)
  return code.some(
    (token, index) =>
      (token.kind === 'word' || token.kind === 'name') &&
      compareName(token, syntax) === fold(column, syntax) &&
      code[index - 1]?.text.toLowerCase() !== 'as',
  )
}

interface TestedEntries {
  readonly entries: readonly ArrangedEntry[]
  /** Properties files with their generated text. */
  readonly yaml: readonly YamlInput[]
  readonly syntax: SqlSyntax
}

/**
 * Warns of tests on columns that a model does not select, on which dbt fails. Models whose columns are unknown are
 * skipped.
 */
export function unselectedColumns(
  arranged: ArrangedTables,
  files: readonly PlannedFile[],
  { entries, syntax, yaml }: TestedEntries,
): readonly Warning[] {
  const texts = new Map(files.map(({ after, path }) => [path, after]))
  const present = presentFiles(texts, arranged.wanted)
  const own = new Map(entries.flatMap((entry) => (entry.kind === 'properties' ? [[entry.key, entry]] : [])))
  const asGenerated = new Set(yaml.flatMap(({ path, whole }) => (texts.get(path) === whole ? path : [])))
  const properties = files.map(({ path }) => path).filter((path) => /\.ya?ml$/.test(path))
  return arranged.tables.flatMap(({ isSelected, key, locked, model, wanted }) => {
    const sql = texts.get(model.path)
    const known = own.get(key)
    // of a generated model, only an entry that a person changed may be behind
    const isAsWanted = sql === wanted.sql && (!known || asGenerated.has(known.path))
    if (!isSelected || sql === undefined || isAsWanted) return []
    const path =
      known?.path ??
      locked?.properties?.path ??
      properties.find((one) => present.entries(one).properties.has(model.name)) ??
      ''
    const entry = asGenerated.has(path)
      ? known?.wanted
      : present.entries(path).properties.get(model.name)?.entry
    if (!entry) return []
    const names = namesIn(sql, syntax)
    const missing = names ? testedColumns(entry).filter((name) => !names.has(name.toLowerCase())) : []
    if (missing.length === 0) return []
    const message = `${path} tests ${missing.join(', ')} of ${model.name}, which the model does not select; rename or remove its entry there`
    return [{ code: 'COLUMN_NOT_SELECTED', message }]
  })
}

/** Warns of new raw columns that are left out because a person's column has their name. */
export function takenNames(
  { tables }: ArrangedTables,
  files: readonly PlannedFile[],
  syntax: SqlSyntax,
): readonly Warning[] {
  const texts = new Map(files.map(({ after, path }) => [path, after]))
  return tables.flatMap(({ drifts, isSelected, key, model, wanted }) => {
    const added = new Set(drifts.flatMap(({ column, kind }) => (kind === 'added' ? (column ?? []) : [])))
    const sql = texts.get(model.path)
    if (!isSelected || added.size === 0 || sql === undefined || sql === wanted.sql) return []
    const there = finalColumns(sql, syntax)?.columns ?? []
    const generated = finalColumns(wanted.sql, syntax)?.columns ?? []
    const reads = (items: FinalColumn['items']): ReadonlySet<string> =>
      new Set(items.flatMap((item) => [...namesRead(item.tokens.filter(isCode), syntax)]))
    return [...added].flatMap((column): readonly Warning[] => {
      const raw = fold(column, syntax)
      const own = generated.find(({ items }) => reads(items).has(raw))
      const taken = there.find(({ name }) => name === own?.name)
      if (!taken || reads(taken.items).has(raw)) return []
      const message = `${key} has a new column ${column}, and ${model.name} has another column ${taken.name}, so it is not selected; rename one of them`
      return [{ code: 'COLUMN_NAME_TAKEN', message }]
    })
  })
}

/** Warns that a person's test or description stays although the generated one changed. */
export function handEditKept({ line, path, reason }: EditPlace): Warning {
  return { code: 'HAND_EDIT_KEPT', message: `${path}:${line}: ${reason}` }
}

/** Returns the selected columns of a model, in their form for comparison; undefined if its text does not show them. */
export function namesIn(sql: string, syntax: SqlSyntax): ReadonlySet<string> | undefined {
  const found = finalColumns(sql, syntax)
  return found && !found.isOpen ? new Set(found.columns.map(({ name }) => name.toLowerCase())) : undefined
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
