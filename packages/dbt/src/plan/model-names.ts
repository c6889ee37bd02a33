import { hashText } from '../lock/hashes.ts'
import type { LockedTable } from '../lock/lock.ts'
import { findMarkers } from '../merge/conflict-markers.ts'
import { finalColumns } from '../merge/final-columns.ts'
import { renameReads } from '../merge/rename-reads.ts'
import type { SqlSyntax } from '../merge/scan-sql.ts'
import type { ArrangedTable, ArrangedTables } from './arrange-tables.ts'
import { spelledRenames } from './plan-model.ts'
import type { PlannedFile } from './plan-types.ts'
import { sameTokens } from '../merge/same-tokens.ts'
import { filtersMore, type OwnSql, readOwnSql, relevantSql } from './own-sql.ts'
import { type ColumnNames, type ModelTexts, selectedNames, spelledName } from './selected-names.ts'
import type { References } from './rename-columns.ts'

/** The selected names of models by table, in the lock and after the plan. */
export interface ModelNames {
  readonly before: NamesOfModels
  /** As `before`, by the present names of generated columns, which a base without the generated text has. */
  readonly base: NamesOfModels
  readonly after: NamesOfModels
  /** Generated columns that were renamed: current names by former name, by table. */
  readonly renames: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** The present names of generated columns, by table; undefined if the generated SQL does not show them. */
  readonly generated: ReadonlyMap<string, ReadonlySet<string> | undefined>
}

interface NamesOfModels {
  /** By the key of the table. */
  readonly own: ReadonlyMap<string, ColumnNames>
  /** By the name of the model, for tests of other models that refer to it. */
  readonly references: References
  /** The differences of models from generated ones, by table. */
  readonly sql: ReadonlyMap<string, OwnSql>
}

/** The known facts about the SQL of one model. */
interface ReadModel {
  readonly table: ArrangedTable
  readonly names: ColumnNames
  readonly sql: OwnSql | undefined
  /** True if its SQL leaves out rows that the generated SQL keeps. @default false */
  readonly filters?: boolean
}

export interface PlannedSql {
  /** The planned models. */
  readonly files: readonly PlannedFile[]
  /** The generated SQL that changes are merged from, by the key of the table. */
  readonly formerSql: ReadonlyMap<string, string>
}

/** Reads the names under which each model selects its generated columns, from its SQL after the plan. */
export function modelNames(
  { tables }: ArrangedTables,
  { files, formerSql }: PlannedSql,
  syntax: SqlSyntax,
): ModelNames {
  const finals = new Map(files.map((file) => [file.path, finalText(file)]))
  const readNow = (table: ArrangedTable): ReadModel => {
    const final = finals.get(table.model.path)
    if (!table.isSelected || findMarkers(final) !== undefined) return readLocked(table)
    if (table.model.owner !== 'ours' || final === undefined || sameTokens(final, table.wanted.sql, syntax))
      return { table, names: new Map(), sql: undefined }
    const raw = table.wanted.item.table.columns.map(({ name }) => name)
    const texts = { generated: table.wanted.sql, final, raw }
    return {
      table,
      names: selectedNames(texts, syntax),
      sql: ownSqlOf(table, texts, syntax),
      filters: filtersMore(texts, syntax),
    }
  }
  const before = tables.map(readLocked)
  const after = tables.map(readNow)
  const recorded = new Map(tables.map((table) => [table.key, recordedRenames(table, formerSql)]))
  const renames = tables.flatMap((table) => {
    const then = formerSql.get(table.key)
    const read = then === undefined ? new Map<string, string>() : renamesSince(table, then, syntax)
    const own = recorded.get(table.key) ?? read
    return own.size > 0 ? [[table.key, own] as const] : []
  })
  const others = before.filter(({ names }) => names.size > 0).map(({ table }) => table)
  const generated = others.map(({ key, wanted }) => [key, generatedNames(wanted.sql, syntax)] as const)
  return {
    before: byTable(before),
    base: byTable(before.map((read) => byPresentNames(read, recorded.get(read.table.key)))),
    after: byTable(after),
    renames: new Map(renames),
    generated: new Map(generated),
  }
}

function generatedNames(sql: string, syntax: SqlSyntax): ReadonlySet<string> | undefined {
  const found = finalColumns(sql, syntax)
  return found && !found.isOpen
    ? new Set(found.columns.map((column) => spelledName(column, syntax).name))
    : undefined
}

/** Returns generated columns that were renamed with a raw column, by former name. */
export function generatedRenames(
  table: Pick<ArrangedTable, 'base' | 'renames' | 'wanted'>,
  syntax: SqlSyntax,
): ReadonlyMap<string, string> {
  return table.renames.size === 0 || !table.base ? new Map() : renamesSince(table, table.base.sql, syntax)
}

/**
 * Returns generated columns that were renamed since the last generation, with a raw column or by the configuration, by
 * former name.
 */
function renamesSince(
  table: Pick<ArrangedTable, 'renames' | 'wanted'>,
  then: string,
  syntax: SqlSyntax,
): ReadonlyMap<string, string> {
  const { renames, wanted } = table
  if (then === wanted.sql) return new Map()
  const columns = spelledRenames(renames, wanted.sql, syntax)
  const generated = renameReads(then, { columns, keepsNames: true, syntax })
  const raw = wanted.item.table.columns.map(({ name }) => name)
  return plainNames(selectedNames({ generated, final: wanted.sql, raw }, syntax))
}

/**
 * Returns generated columns that were renamed since the last generation, from the names in the lock; undefined if the
 * generated text is known, or the lock has no names.
 */
function recordedRenames(
  { key, locked, renames, wanted }: ArrangedTable,
  formerSql: PlannedSql['formerSql'],
): ReadonlyMap<string, string> | undefined {
  const then = formerSql.get(key)
  if (then === undefined || !locked?.staged || hashText(then) === locked.model.sha256) return undefined
  const { staged } = locked
  const { all } = wanted.names()
  return new Map(
    locked.item.table.columns.flatMap(({ name }) => {
      const was = staged[name] ?? name.toLowerCase()
      const is = all.get(renames.get(name) ?? name)
      return is === undefined || is === was ? [] : [[was, is] as const]
    }),
  )
}

/** Returns the names of a model by the present names of its generated columns. */
function byPresentNames(read: ReadModel, renames: ReadonlyMap<string, string> = new Map()): ReadModel {
  const { names } = read
  if (renames.size === 0) return read
  const renamed = [...renames].map(
    ([was, is]) => [is, names.has(was) ? (names.get(was) ?? null) : { name: was, isQuoted: false }] as const,
  )
  const others = [...names].filter(([name]) => !renames.has(name))
  return { ...read, names: new Map([...others, ...renamed]) }
}

function ownSqlOf({ wanted }: ArrangedTable, texts: ModelTexts, syntax: SqlSyntax): OwnSql | undefined {
  if (!wanted.properties) return undefined
  const claims = wanted.claims()
  return relevantSql(wanted.properties.entry, claims, readOwnSql(texts, claims, syntax))
}

/** Text between conflict markers does not show the selected columns yet. */
function finalText({ after, before, conflicts }: PlannedFile): string | undefined {
  return conflicts.length > 0 && findMarkers(after) !== undefined ? before : after
}

function byTable(found: readonly ReadModel[]): NamesOfModels {
  const some = found.filter(({ names }) => names.size > 0)
  const own = found.flatMap(({ sql, table }) =>
    sql && sql.columns.size + sql.rows.size > 0 ? [[table.key, sql] as const] : [],
  )
  return {
    own: new Map(some.map(({ names, table }) => [table.key, names])),
    references: {
      names: new Map(some.map(({ names, table }) => [table.model.name, names])),
      filtered: new Set(found.flatMap(({ filters, table }) => (filters ? table.model.name : []))),
    },
    sql: new Map(own),
  }
}

function readLocked(table: ArrangedTable): ReadModel {
  const { columns = {}, rows = [] } = table.locked?.properties?.sql ?? {}
  const sql = { columns: new Map(Object.entries(columns)), rows: new Set(rows) }
  return { table, names: lockedNames(table.locked), sql }
}

function lockedNames(locked: LockedTable | undefined): ColumnNames {
  const names = Object.entries(locked?.properties?.names ?? {})
  return new Map(names.map(([name, own]) => [name, own === null ? null : { name: own, isQuoted: false }]))
}

/** Returns true if a model's claims differ from generated ones, now or at its last generation. */
export function hasOwnNames({ after, before, renames }: ModelNames, key: string): boolean {
  return [after.own, before.own, renames, after.sql, before.sql].some((known) => known.has(key))
}

/** Returns the columns renamed since the last generation: current names by former name. */
export function renamesOf(
  { after, before, generated: current, renames }: ModelNames,
  key: string,
): ReadonlyMap<string, string> {
  const [old, now] = [before.own.get(key), after.own.get(key)]
  const other = renames.get(key) ?? new Map<string, string>()
  const generated = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? []), ...other.keys()])
  for (const name of other.values()) generated.delete(name)
  return new Map(
    [...generated].flatMap((name) => {
      const present = other.get(name) ?? name
      // without the text of the last generation, its renamed columns are not known
      if (current.get(key)?.has(present) === false) return []
      const [was, is] = [nameIn(old, name), nameIn(now, present)]
      return was !== undefined && is !== undefined && was !== is ? [[was, is] as const] : []
    }),
  )
}

/** Returns the names of columns that a model selects under another name. */
export function plainNames(names: ColumnNames = new Map()): ReadonlyMap<string, string> {
  return new Map([...names].flatMap(([name, own]) => (own ? [[name, own.name] as const] : [])))
}

/** Returns the name of a generated column in a model; undefined if it is not selected. */
function nameIn(names: ColumnNames | undefined, generated: string): string | undefined {
  const found = names?.get(generated)
  return found === null ? undefined : (found?.name ?? generated)
}
