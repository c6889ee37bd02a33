import { type Lock, LOCK_FILE, parseLock, type ProjectIndex } from '@stagecraft/dbt'
import { type Observation, StagecraftError, type Table } from '@stagecraft/spec'

/** The known facts about raw tables of sources. Names are compared ignoring case. */
export interface RawTables {
  /** Returns a table of a source: from the catalog, else as of its last generation. */
  readonly tableOf: (source: string, table: string) => Table | undefined
  /** Returns a table of a source as of its last generation. */
  readonly formerOf: (source: string, table: string) => Table | undefined
  /** Returns the observed facts about rows of a table: current ones, else as of its last generation. */
  readonly observedOf: (source: string, table: string) => Observation | undefined
  /** Returns all tables in the schema of a source; undefined if the catalog lacks the schema. */
  readonly tablesIn: (source: string) => readonly Table[] | undefined
}

export interface RawTablesOptions {
  /** The tables of a catalog, complete for each schema; undefined without a catalog. */
  readonly tables: readonly Table[] | undefined
  readonly lock: Lock | undefined
}

/** Finds the raw tables of the sources of a project. */
export function rawTables({ sources }: ProjectIndex, { lock, tables }: RawTablesOptions): RawTables {
  const former = new Map(
    [...(lock?.values() ?? [])].flatMap(({ item, source }) =>
      source ? [[keyOf(source.name, source.table), item.table] as const] : [],
    ),
  )
  const bySchema = Map.groupBy(tables ?? [], ({ schema }) => (schema ?? '').toLowerCase())
  const inSchema = (schema: string, database: string | undefined): readonly Table[] | undefined => {
    const all = bySchema.get(schema.toLowerCase())
    const own = all?.filter((table) => isIn(table, database))
    return own && own.length > 0 ? own : undefined
  }
  const now = new Map(
    sources.flatMap(({ database, name, schema, tables: declared }) => {
      const all = schema === undefined ? undefined : inSchema(schema, database)
      const byName = new Map(all?.map((table) => [(table.name ?? '').toLowerCase(), table]))
      return declared.flatMap((table) => {
        const found = byName.get(table.identifier.toLowerCase())
        return found ? [[keyOf(name, table.name), found] as const] : []
      })
    }),
  )
  return {
    tableOf: (source, table) =>
      now.get(keyOf(source, table)) ?? (tables ? undefined : former.get(keyOf(source, table))),
    observedOf: (source, table) =>
      now.get(keyOf(source, table))?.observed ?? former.get(keyOf(source, table))?.observed,
    formerOf: (source, table) => former.get(keyOf(source, table)),
    tablesIn: (name) => {
      const source = sources.find((one) => one.name === name && one.schema !== undefined)
      return source?.schema === undefined ? undefined : inSchema(source.schema, source.database)
    },
  }
}

function keyOf(source: string, table: string): string {
  return JSON.stringify([source, table])
}

/** A source without a database means the database of the connection. */
function isIn({ database }: Table, wanted: string | undefined): boolean {
  return database === undefined || wanted === undefined || database.toLowerCase() === wanted.toLowerCase()
}

/** Reads the lock of a project. An unreadable one counts as missing: `stagecraft plan` reports its error. */
export function lockOf(text: string | undefined): Lock | undefined {
  if (text === undefined) return undefined
  try {
    return parseLock(text, LOCK_FILE)
  } catch (error) {
    if (error instanceof StagecraftError) return undefined
    throw error
  }
}
