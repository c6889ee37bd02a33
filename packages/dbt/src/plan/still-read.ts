import { compareText, type Warning } from '@stagecraft/spec'
import type { LostColumns } from '../lock/lock.ts'
import { findMarkers } from '../merge/conflict-markers.ts'
import { finalColumns } from '../merge/final-columns.ts'
import { fold, namesRead } from '../merge/output-name.ts'
import { isCode, type SqlSyntax } from '../merge/scan-sql.ts'
import type { ArrangedTable, ArrangedTables } from './arrange-tables.ts'
import { linesOf, placesReading } from './column-readers.ts'
import { formerlyRead } from './move-source.ts'
import type { PlanInput } from './plan-input.ts'
import type { PlannedFile, StillRead } from './plan-types.ts'
import { type ReadingPlace, printReaders } from './project-view.ts'
import { referencesIn } from '../project/properties-reads.ts'
import { namesIn, reads } from './warn-of-columns.ts'

/** The deleted things that the project still reads. */
export interface Lost {
  readonly found: readonly StillRead[]
  /** Deleted columns of tables and models in the lock, by key. They are reported until nothing reads them. */
  readonly columns: ReadonlyMap<string, LostColumns>
}

/** Finds deleted or pruned models, tables and columns that the project reads. */
export async function findLost(
  arranged: ArrangedTables,
  files: readonly PlannedFile[],
  input: PlanInput,
): Promise<Lost> {
  const texts = new ProjectTexts(files, input)
  const tables = await Promise.all(
    arranged.tables
      .filter(({ isSelected, model }) => isSelected && model.owner === 'ours')
      .map((table) => lostOf(table, texts, input)),
  )
  return {
    found: [
      ...lostModels(arranged, files, input),
      ...formerlyRead(arranged, input, files),
      ...tables.flatMap(({ found }) => found),
    ],
    columns: new Map(
      tables.flatMap(({ columns, key }) => (columns.raw || columns.staged ? [[key, columns]] : [])),
    ),
  }
}

/** Warns of reads on which dbt fails. */
export function lostWarnings({ found }: Lost): readonly Warning[] {
  return found.map(({ code, message }) => ({ code, message }))
}

/** The files of a project after a plan. */
class ProjectTexts {
  readonly #files: ReadonlyMap<string, PlannedFile>
  readonly #read: PlanInput['read']

  constructor(files: readonly PlannedFile[], { read }: Pick<PlanInput, 'read'>) {
    this.#files = new Map(files.map((file) => [file.path, file]))
    this.#read = read
  }

  planned(path: string): PlannedFile | undefined {
    return this.#files.get(path)
  }

  async after(path: string): Promise<string> {
    const file = this.#files.get(path)
    return (file ? file.after : await this.#read(path)) ?? ''
  }
}

/** Finds models and tables that the warehouse no longer has. */
function lostModels(
  { gone }: ArrangedTables,
  files: readonly PlannedFile[],
  { prune = false }: Pick<PlanInput, 'prune'>,
): readonly StillRead[] {
  const there = new Set(files.flatMap(({ after, path }) => (after === undefined ? [] : path)))
  return gone.flatMap(({ key, locked: { model, source }, readers, sourceReaders }) => {
    const them = (places: readonly ReadingPlace[]): string => (places.length === 1 ? 'it reads' : 'they read')
    const again = prune ? 'and prune again' : 'and --prune removes it'
    const ofModel =
      readers.length > 0 && there.has(model.path)
        ? `${key} is gone, and ${printReaders(readers)} its model ${model.name}; the model stays until nothing reads it; change what ${them(readers)}, ${again}`
        : undefined
    const ofTable =
      sourceReaders.length > 0 && source
        ? `${key} is gone, and ${printReaders(sourceReaders)} source('${source.name}', '${source.table}'); its entry stays until nothing reads it; change what ${them(sourceReaders)}, ${again}`
        : undefined
    return [
      ...(ofModel === undefined
        ? []
        : [{ code: 'MODEL_STILL_READ', message: ofModel, places: readers } as const]),
      ...(ofTable === undefined
        ? []
        : [{ code: 'SOURCE_STILL_READ', message: ofTable, places: sourceReaders } as const]),
    ]
  })
}

interface LostOfTable {
  readonly key: string
  readonly found: readonly StillRead[]
  readonly columns: LostColumns
}

async function lostOf(table: ArrangedTable, texts: ProjectTexts, input: PlanInput): Promise<LostOfTable> {
  const { key, locked, model } = table
  const file = texts.planned(model.path)
  const removed = table.drifts.flatMap(({ column, kind }) => (kind === 'removed' ? (column ?? []) : []))
  const isTouched = removed.length > 0 || (file !== undefined && file.after !== file.before)
  if (!isTouched && !locked?.lost) return { key, found: [], columns: {} }
  const sql = await texts.after(model.path)
  // Text between conflict markers does not show the selected columns yet.
  if (findMarkers(sql) !== undefined) return { key, found: [], columns: locked?.lost ?? {} }
  const raw = lostRaw(table, { removed, sql }, input)
  const staged = lostStaged(table, { file, sql }, input.syntax)
  const going = input.prune ? [] : namesOfRaw(sql, removed, input.syntax)
  const read = await Promise.all(
    [...staged, ...going].map(async (column) => {
      const places = await placesReading({ model: model.name, column }, texts, input)
      return places.length > 0 ? [{ column, places }] : []
    }),
  )
  const found = read.flat()
  const kept = found.flatMap(({ column }) => (staged.includes(column) ? column : []))
  return {
    key,
    found: [...raw.found, ...found.map((one) => readColumn(table, one, going.includes(one.column)))],
    columns: {
      ...(raw.columns.length > 0 && { raw: raw.columns }),
      ...(kept.length > 0 && { staged: kept }),
    },
  }
}

/** Finds raw columns that the lock no longer has and a person's SQL reads. */
function lostRaw(
  { key, locked, model, wanted }: ArrangedTable,
  { removed, sql }: { readonly removed: readonly string[]; readonly sql: string },
  { prune = false, syntax }: PlanInput,
): { readonly found: readonly StillRead[]; readonly columns: readonly string[] } {
  const there = new Set(wanted.item.table.columns.map(({ name }) => name))
  const isLost = (column: string): boolean => !there.has(column) && reads(sql, column, syntax)
  const before = (locked?.lost?.raw ?? []).filter((column) => !removed.includes(column) && isLost(column))
  const columns = [...new Set([...before, ...(prune ? removed.filter(isLost) : [])])]
  const places = before.flatMap((column) =>
    linesOf(fold(column, syntax), sql, syntax).map((line) => ({ path: model.path, line })),
  )
  if (before.length === 0) return { found: [], columns }
  const them = before.length === 1 ? 'it' : 'them'
  const message = `${key} no longer has ${before.join(', ')}, but ${model.name} still reads ${them}, so dbt fails; remove ${them} from ${model.path}`
  return { found: [{ code: 'COLUMN_GONE', message, places }], columns }
}

/** Returns the former columns of the model in their form for comparison; none if its texts do not show them. */
function lostStaged(
  { locked }: ArrangedTable,
  { file, sql }: { readonly file: PlannedFile | undefined; readonly sql: string },
  syntax: SqlSyntax,
): readonly string[] {
  const is = namesIn(sql, syntax)
  if (!is) return []
  const was = file?.before === undefined || file.before === sql ? undefined : namesIn(file.before, syntax)
  return [...new Set([...(was ?? []), ...(locked?.lost?.staged ?? [])])].filter((name) => !is.has(name))
}

/** Returns the names under which a model selects raw columns. */
function namesOfRaw(sql: string, raw: readonly string[], syntax: SqlSyntax): readonly string[] {
  const folded = new Set(raw.map((name) => fold(name, syntax)))
  const columns = folded.size === 0 ? [] : (finalColumns(sql, syntax)?.columns ?? [])
  return columns
    .filter(({ items }) =>
      items.some((item) =>
        [...namesRead(item.tokens.filter(isCode), syntax)].some((name) => folded.has(name)),
      ),
    )
    .map(({ name }) => name.toLowerCase())
}

function readColumn(
  { key, locked, model }: ArrangedTable,
  { column, places }: { readonly column: string; readonly places: readonly ReadingPlace[] },
  isGoing: boolean,
): StillRead {
  const said = places.map(({ line, path }) => `${path}:${line}`).toSorted(compareText)
  const isRemoved = locked?.lost?.staged?.includes(column) ?? false
  const reading = `${said.join(', ')} ${said.length === 1 ? 'reads' : 'read'} it`
  const message = isGoing
    ? `the raw column of ${model.name}.${column} is gone from ${key}, and ${reading}; change that before --prune removes the column`
    : `${isRemoved ? `${model.name} no longer has a column ${column}` : `this removes the column ${column} from ${model.name}`}, and ${reading}; change ${said.length === 1 ? 'that place' : 'those places'}, or give the column its name again in ${model.path}`
  return { code: 'COLUMN_STILL_READ', message, places }
}

/**
 * Finds renamed models that a person's test in a planned file of properties still calls by the former name. Returns the
 * reasons for which they keep it, by the key of the table.
 */
export function formerReferences(
  { tables }: ArrangedTables,
  files: readonly PlannedFile[],
  removed: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const texts = files.flatMap(({ after, path }) =>
    after !== undefined && /\.ya?ml$/.test(path) ? { path, text: after } : [],
  )
  return new Map(
    tables.flatMap(({ key, locked, model }) => {
      const former = locked?.model.name
      if (former === undefined || former === model.name || !removed.has(former)) return []
      const place = texts.flatMap((file) => referencePlace(file, former))[0]
      return place ? [[key, `${printReaders([place])} it by its current name`] as const] : []
    }),
  )
}

function referencePlace(
  { path, text }: { readonly path: string; readonly text: string },
  model: string,
): readonly ReadingPlace[] {
  const found = referencesIn(text).find(
    ({ call, first, second }) => call === 'ref' && (second ?? first) === model,
  )
  return found ? [{ path, line: text.slice(0, found.offset).split('\n').length }] : []
}
