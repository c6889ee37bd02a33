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
  /** Undefined when nothing tells it, as for Jinja that depends on the target. */
  readonly database: string | undefined
  readonly schema: string | undefined
  readonly tables: readonly DeclaredTable[]
}

/** A model of the project, and what it reads. */
export interface DeclaredModel {
  readonly name: string
  /** The SQL file, relative to the project. */
  readonly path: string
  /** The sources it reads, by their names in dbt. */
  readonly reads: readonly { readonly source: string; readonly table: string }[]
  /** Models that it reads. @default none is known */
  readonly models?: readonly { readonly model: string }[]
  /** The file that describes it; undefined when none does. */
  readonly propertiesPath: string | undefined
}

/** The view of the project that a plan needs. */
export interface ProjectView {
  readonly models: readonly DeclaredModel[]
  readonly sources: readonly DeclaredSource[]
}

interface StoredTable {
  readonly database?: string | undefined
  readonly schema?: string | undefined
  readonly name: string
}

/** The declaration of a warehouse table in the project. */
export interface FoundSource {
  readonly source: DeclaredSource
  /** Undefined when only the source is declared. */
  readonly table: DeclaredTable | undefined
}

/**
 * Finds the source that declares a table, else the one that declares most of its schema; undefined when there is none.
 * Names are compared in any case, since dbt leaves them to the warehouse.
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
  return declaring[0] ?? (first && { source: first, table: undefined })
}

function isSchema({ database, schema }: DeclaredSource, table: StoredTable): boolean {
  if (schema === undefined || table.schema === undefined || !isSame(schema, table.schema)) return false
  return database === undefined || table.database === undefined || isSame(database, table.database)
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Finds the files of other models that read a model, in the order of their paths. */
export function findModelReaders({ models }: ProjectView, name: string): readonly string[] {
  const readers = models.filter((one) => one.name !== name && one.models?.some(({ model }) => model === name))
  return [...new Set(readers.map(({ path }) => path))].toSorted((a, b) => (a < b ? -1 : 1))
}

/** Finds the models that read a table of a source, in the order of their paths. */
export function findReaders(
  { models }: ProjectView,
  { source, table }: { readonly source: string; readonly table: string },
): readonly DeclaredModel[] {
  return models
    .filter(({ reads }) => reads.some((read) => read.source === source && read.table === table))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
