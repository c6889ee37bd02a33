import type { ModelType } from '@stagecraft/spec'
import { enforcesContract, type FolderSettings, folderValues } from '../project/folder-values.ts'
import { layerOf } from '../project/layers.ts'
import type { IndexedModel } from '../project/project-index.ts'

/** A table that a sources file of the project declares. */
export interface DeclaredTable {
  /** The name in `source('shop', 'orders')`. */
  readonly name: string
  /** The name in the warehouse. */
  readonly identifier: string
}

/** A source as one file of the project declares it; another file may declare more tables of it. */
export interface DeclaredSource {
  readonly name: string
  /** The file, relative to the project. */
  readonly path: string
  /** Undefined if unknown, as for Jinja that depends on the target. */
  readonly database: string | undefined
  readonly schema: string | undefined
  readonly tables: readonly DeclaredTable[]
}

/** A model of the project and its inputs. */
export interface DeclaredModel {
  /** @default model */
  readonly kind?: IndexedModel['kind']
  readonly name: string
  /** The SQL file, relative to the project. */
  readonly path: string
  /** The sources it reads, by their names in dbt. */
  readonly reads: readonly { readonly source: string; readonly table: string; readonly line?: number }[]
  /** The models that it reads. @default unknown */
  readonly models?: readonly { readonly model: string; readonly line?: number }[]
  /** True if its contract is enforced. @default false */
  readonly hasContract?: boolean
  /** The file that describes it; undefined without one. */
  readonly propertiesPath: string | undefined
}

/** A part of the project that reads models but is not one: a test, an exposure, an entry with tests of references. */
interface DeclaredReader extends Pick<DeclaredModel, 'path' | 'reads'> {
  /** 1-based. */
  readonly line: number
  /** The name of the entry of properties; undefined for a file of SQL. */
  readonly owner?: string
  readonly models: readonly { readonly model: string }[]
}

/** An entry of a model in a file of properties. */
interface DeclaredEntry {
  readonly name: string
  readonly path: string
}

/** The view of the project that a plan needs. */
export interface ProjectView {
  /** The settings of folders, for models that do not exist yet. @default none */
  readonly settings?: FolderSettings
  readonly models: readonly DeclaredModel[]
  /** The entries of models, seeds and snapshots in files of properties, even if nothing has their names. @default unknown */
  readonly entries?: readonly DeclaredEntry[]
  /** @default unknown */
  readonly readers?: readonly DeclaredReader[]
  readonly sources: readonly DeclaredSource[]
}

/** Returns true if the project enforces the contract of the model at a path, whether it exists or not. */
export function hasContract({ models, settings }: ProjectView, path: string): boolean {
  const found = models.find((model) => model.path === path)
  if (found || !settings) return found?.hasContract ?? false
  const values = folderValues({ path }, 'contract', settings).map(enforcesContract)
  return values.findLast((one) => one !== undefined) ?? false
}

/** A table by its names in dbt. */
export interface SourceTableName {
  readonly source: string
  readonly table: string
}

/** A table by its names in the warehouse. */
export interface StoredTable {
  readonly database?: string | undefined
  readonly schema?: string | undefined
  readonly name: string
  /** True if the name of another table differs only in case. @default false */
  readonly hasTwin?: boolean
}

/** The declaration of a warehouse table in the project. */
export interface FoundSource {
  readonly source: DeclaredSource
  /** Undefined if only the source is declared. */
  readonly table: DeclaredTable | undefined
}

/**
 * Finds the source that declares a table, else the one that declares most of its schema; undefined if there is none.
 * Names are compared ignoring case, since dbt leaves case to the warehouse; of several, the exact one counts.
 */
export function findSource({ sources }: ProjectView, table: StoredTable): FoundSource | undefined {
  const near = sources
    .filter((source) => isSchema(source, table))
    .toSorted((a, b) => b.tables.length - a.tables.length)
  const declaring = near.flatMap((source) =>
    source.tables
      .filter(({ identifier }) => isSame(identifier, table.name))
      .map((found) => ({ source, table: found })),
  )
  const [first] = near
  const exact = declaring.find(({ table: { identifier } }) => identifier === table.name)
  return exact ?? declaring[0] ?? (first && { source: first, table: undefined })
}

function isSchema({ database, schema }: DeclaredSource, table: StoredTable): boolean {
  if (schema === undefined || table.schema === undefined || !isSame(schema, table.schema)) return false
  return database === undefined || table.database === undefined || isSame(database, table.database)
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Returns the file that describes a model, even one without SQL; undefined without one. */
export function describingPath({ entries = [], models }: ProjectView, model: string): string | undefined {
  const found = models.find(({ name }) => name === model)?.propertiesPath
  return found ?? entries.find(({ name }) => name === model)?.path
}

/** Returns the file that declares a source table; undefined without one. */
export function declaringPath(
  { sources }: ProjectView,
  { source, table }: SourceTableName,
): string | undefined {
  return sources.find(({ name, tables }) => name === source && tables.some((one) => one.name === table))?.path
}

/** A source table that is another table of the warehouse than expected. */
export interface OtherDeclaration extends SourceTableName {
  /** The file that declares it. */
  readonly path: string
  /** The declared place in the warehouse: `old_shop.orders`. */
  readonly declared: string
  /** The expected place. */
  readonly stored: string
}

/** Finds the declaration of a source table if it is for another stored table; parts that are unknown count as equal. */
export function declaredElsewhere(
  { sources }: ProjectView,
  { source, table }: SourceTableName,
  stored: StoredTable,
): OtherDeclaration | undefined {
  const declared = sources.flatMap((one) =>
    one.name === source
      ? one.tables.filter(({ name }) => name === table).map((found) => ({ one, found }))
      : [],
  )
  const isOther = ({
    found: { identifier },
    one: { database, schema },
  }: (typeof declared)[number]): boolean =>
    isDifferent(database, stored.database) ||
    isDifferent(schema, stored.schema) ||
    isDifferent(identifier, stored.name)
  const [first] = declared
  if (!first || !declared.every(isOther)) return undefined
  const { found, one } = first
  const withDatabase = isDifferent(one.database, stored.database)
  const placeOf = (from: Omit<StoredTable, 'hasTwin'>): string =>
    [withDatabase ? from.database : undefined, from.schema, from.name]
      .filter((part) => part !== undefined)
      .join('.')
  return {
    source,
    table,
    path: one.path,
    declared: placeOf({ ...one, name: found.identifier }),
    stored: placeOf(stored),
  }
}

function isDifferent(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && !isSame(a, b)
}

/** A place that reads something. */
export interface ReadingPlace {
  /** Relative to the project. */
  readonly path: string
  /** 1-based. */
  readonly line: number
}

/**
 * Finds the places that read a model outside its own file and properties, ordered by path.
 *
 * @param ownReads Returns the number of generated references to the model in an entry of properties. They are changed
 * together with the model.
 */
export function findModelReaders(
  { models, readers = [] }: ProjectView,
  name: string,
  ownReads: (owner: string) => number,
): readonly ReadingPlace[] {
  const bySql = models.flatMap((one) => {
    const read = one.name === name ? undefined : one.models?.find(({ model }) => model === name)
    return read ? [{ path: one.path, line: read.line ?? 1 }] : []
  })
  const others = readers.filter(({ models: read, owner }) => {
    const count = read.filter(({ model }) => model === name).length
    return count > 0 && (owner === undefined || (owner !== name && count > ownReads(owner)))
  })
  return inOrder([...bySql, ...others])
}

/** Finds the places that read a source table which no file declares. */
export function undeclaredReaders(view: ProjectView, name: SourceTableName): readonly ReadingPlace[] {
  return declaringPath(view, name) === undefined ? findSourceReaders(view, name) : []
}

/**
 * Finds the places that read a source table.
 *
 * @param own The file of its model, which is left out. @default none
 */
export function findSourceReaders(
  { models, readers = [] }: ProjectView,
  { source, table }: SourceTableName,
  own?: string,
): readonly ReadingPlace[] {
  const isRead = (read: DeclaredModel['reads'][number]): boolean =>
    read.source === source && read.table === table
  const bySql = models.flatMap(({ path, reads }) => {
    const read = path === own ? undefined : reads.find(isRead)
    return read ? [{ path, line: read.line ?? 1 }] : []
  })
  return inOrder([...bySql, ...readers.filter(({ reads }) => reads.some(isRead))])
}

function inOrder(places: readonly ReadingPlace[]): readonly ReadingPlace[] {
  const byPath = Map.groupBy(places, ({ path }) => path)
  return [...byPath]
    .map(([path, own]) => ({ path, line: Math.min(...own.map(({ line }) => line)) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** Prints the readers for a message: `a.sql and b.yml read`. */
export function printReaders(places: readonly Pick<ReadingPlace, 'path'>[]): string {
  return `${places.map(({ path }) => path).join(', ')} ${places.length === 1 ? 'reads' : 'read'}`
}

/**
 * Finds the models that read a source table, ordered by path. If there are none, finds those that read the stored table
 * by another name, since several sources can declare it.
 *
 * @param stored The table in the warehouse. @default other names are not looked for
 */
export function findReaders(
  { models, sources }: Pick<ProjectView, 'models' | 'sources'>,
  name: SourceTableName,
  stored?: StoredTable,
): readonly DeclaredModel[] {
  const reading = (names: readonly SourceTableName[]): readonly DeclaredModel[] =>
    models
      .filter(({ reads }) =>
        reads.some((read) =>
          names.some(({ source, table }) => read.source === source && read.table === table),
        ),
      )
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const found = reading([name])
  return found.length > 0 || !stored ? found : reading(namesOf(sources, stored))
}

/** The model to find for a table. */
interface Staged {
  /** The configured name. @default any */
  readonly model?: string
  /** The requested type of model. @default staging */
  readonly type?: ModelType
}

/**
 * Returns true if a model that reads a table may be its staging model or snapshot: not one that reads more for a report
 * or a mart.
 */
export function mayStage(found: DeclaredModel, { model, type = 'staging' }: Staged = {}): boolean {
  const { kind = 'model', models = [], name, reads } = found
  if ((type === 'snapshot') !== (kind === 'snapshot')) return false
  const layer = layerOf(found)
  if (name === model || kind === 'snapshot' || layer === 'staging' || layer === 'base') return true
  return layer === undefined && kind === 'model' && reads.length === 1 && models.length === 0
}

/** Returns the names under which sources declare a stored table, with their files. */
function namesOf(
  sources: readonly DeclaredSource[],
  stored: StoredTable,
): readonly (SourceTableName & Pick<DeclaredSource, 'path'>)[] {
  const { hasTwin = false, name } = stored
  return sources
    .filter((source) => isSchema(source, stored))
    .flatMap((source) =>
      source.tables
        .filter(({ identifier }) => (hasTwin ? identifier === name : isSame(identifier, name)))
        .map((table) => ({ source: source.name, table: table.name, path: source.path })),
    )
}

/** Returns the names under which a model reads a stored table, with the file that declares them. */
export function declarationRead(
  { models, sources }: ProjectView,
  model: string,
  stored: StoredTable,
): ReturnType<typeof namesOf>[number] | undefined {
  const reads = models.find(({ path }) => path === model)?.reads ?? []
  return namesOf(sources, stored).find(({ source, table }) =>
    reads.some((read) => read.source === source && read.table === table),
  )
}
