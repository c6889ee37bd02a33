import { compareText, type Warning } from '@stagecraft/spec'
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

/** Warns that a model follows a table of another name, which may be another table. */
export function renamedTables({ tables }: ArrangedTables): readonly Warning[] {
  return tables.flatMap(({ key, locked, model, renamedFrom }) => {
    if (renamedFrom === undefined || !locked) return []
    const former = lockKey(locked.item)
    const message = `${former} is gone and ${key} has its columns and keys, so that ${model.name} reads ${key} from now on; if that is another table, run stagecraft forget ${former} first`
    return [{ code: 'TABLE_RENAMED', message }]
  })
}

/**
 * Warns of columns that models go on reading though the warehouse no longer has them: dbt fails on them. Pruning takes them
 * out where nobody wrote about them.
 */
export function goneColumns(
  { tables }: ArrangedTables,
  files: readonly PlannedFile[],
  { prune = false, syntax }: Pick<PlanInput, 'prune' | 'syntax'>,
): readonly Warning[] {
  const texts = new Map(files.map(({ after, path }) => [path, after]))
  return tables.flatMap(({ drifts, key, model }) => {
    const removed = drifts.flatMap(({ column, kind }) => (kind === 'removed' ? (column ?? []) : []))
    const sql = texts.get(model.path)
    const gone = prune ? removed.filter((column) => sql !== undefined && reads(sql, column, syntax)) : removed
    if (gone.length === 0) return []
    const them = gone.length === 1 ? 'it' : 'them'
    const remedy = prune
      ? `take ${them} out of ${model.path}`
      : `--prune takes out what was generated for ${them}`
    const message = `${key} has no ${gone.join(', ')} any more, and ${model.name} still reads ${them}; ${remedy}`
    return [{ code: 'COLUMN_GONE', message }]
  })
}

/** Tells whether a text has the name of a column elsewhere than as a name that it gives. */
function reads(sql: string, column: string, syntax: SqlSyntax): boolean {
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
  /** Files of properties, with the text that they have when nobody else writes to them. */
  readonly yaml: readonly YamlInput[]
  readonly syntax: SqlSyntax
}

/**
 * Warns of columns that are tested though the model, as a person wrote it, does not select them: dbt fails on such tests.
 * Says nothing of models whose text does not tell what they select.
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
    if (!isSelected || sql === undefined || sql === wanted.sql) return []
    const known = own.get(key)
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
    const message = `${path} tests ${missing.join(', ')} of ${model.name}, which the model does not select; rename or remove what is said of it there`
    return [{ code: 'COLUMN_NOT_SELECTED', message }]
  })
}

/** Warns of models that pruning would remove and other models still read: dbt refuses a project without them. */
export function readModels(
  { gone }: ArrangedTables,
  files: readonly PlannedFile[],
  { prune = false }: Pick<PlanInput, 'prune'>,
): readonly Warning[] {
  const there = new Set(files.flatMap(({ after, path }) => (after === undefined ? [] : path)))
  return gone.flatMap(({ key, locked: { model }, readers }): readonly Warning[] => {
    if (!prune || readers.length === 0 || !there.has(model.path)) return []
    const them = readers.length === 1 ? 'it reads' : 'they read'
    const message = `${key} is gone, and ${readers.join(', ')} ${readers.length === 1 ? 'reads' : 'read'} its model ${model.name}, which stays therefore; change what ${them}, and prune again`
    return [{ code: 'MODEL_STILL_READ', message }]
  })
}

/** Warns of new raw columns that are not selected because a person's column has their name. */
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
      const message = `${key} has a new column ${column}, and ${model.name} has a column ${taken.name} of another meaning, so that it is not selected; give one of them another name`
      return [{ code: 'COLUMN_NAME_TAKEN', message }]
    })
  })
}

/**
 * Warns of columns that a model no longer has under their names after the plan, though other models of the project read them:
 * dbt fails on those.
 */
export async function stillRead(
  files: readonly PlannedFile[],
  { project, read, syntax }: Pick<PlanInput, 'project' | 'read' | 'syntax'>,
): Promise<readonly Warning[]> {
  const after = new Map(files.map((file) => [file.path, file.after]))
  const changed = files.flatMap((file) => lostColumns(file, syntax))
  const warnings = await Promise.all(
    changed.map(async ({ lost, path }): Promise<readonly Warning[]> => {
      const name = project.models.find((model) => model.path === path)?.name
      const readers = project.models.filter(({ models }) => models?.some(({ model }) => model === name))
      const texts = await Promise.all(
        readers.map(
          async (model) => [model.path, after.get(model.path) ?? (await read(model.path)) ?? ''] as const,
        ),
      )
      return [...lost].flatMap((column): readonly Warning[] => {
        const places = texts.flatMap(([reader, text]) =>
          placesOf(column, text, syntax).map((line) => `${reader}:${line}`),
        )
        if (places.length === 0) return []
        const message = `${name} no longer has a column ${column} after this, and ${places.toSorted(compareText).join(', ')} ${places.length === 1 ? 'reads' : 'read'} it; change that with it, or give the column its name again in ${path}`
        return [{ code: 'COLUMN_STILL_READ', message }]
      })
    }),
  )
  return warnings.flat()
}

/** The columns that a model has before the plan and not after it; none where its texts do not tell. */
function lostColumns(
  { after, before, path }: PlannedFile,
  syntax: SqlSyntax,
): readonly { readonly path: string; readonly lost: ReadonlySet<string> }[] {
  if (!path.endsWith('.sql') || before === undefined || after === undefined || before === after) return []
  const [was, is] = [namesIn(before, syntax), namesIn(after, syntax)]
  const lost = new Set(was && is ? [...was].filter((name) => !is.has(name)) : [])
  return lost.size > 0 ? [{ path, lost }] : []
}

/** The lines on which a text has the name of a column. */
function placesOf(column: string, text: string, syntax: SqlSyntax): readonly number[] {
  const lines = scanSql(text, syntax)
    .filter(({ kind }) => kind === 'word' || kind === 'name')
    .filter((token) => compareName(token, syntax).toLowerCase() === column)
    .map(({ start }) => text.slice(0, start).split('\n').length)
  return [...new Set(lines)]
}

/** Warns that a person's test or description stays though another one is generated now. */
export function keptByHand({ line, path, reason }: EditPlace): Warning {
  return { code: 'HAND_EDIT_KEPT', message: `${path}:${line}: ${reason}` }
}

/** The names of the columns that a model selects, as names are compared; undefined when its text does not tell. */
function namesIn(sql: string, syntax: SqlSyntax): ReadonlySet<string> | undefined {
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
