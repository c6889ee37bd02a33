import { type Catalog, type DialectName, StagecraftError, type Warning } from '@stagecraft/spec'
import { isHeard, reported } from './observe.ts'
import type { Results, Row, SchemaPlace, Statement } from './statement.ts'
import { openWarehouse } from './warehouse-catalog.ts'
import type { Place, Scope, Session, TableRows } from './warehouse.ts'

/** A warehouse that describes its tables by statements, one schema at a time. */
export interface MetadataSource {
  readonly dialect: DialectName
  /** The database of the address. */
  readonly database: string | undefined
  /** The schema of the address; "everything" is then that schema. */
  readonly defaultSchema: string | undefined
  /** The statement whose rows have `schema_name`. */
  readonly schemas: Statement
  /** Returns true for a schema that is part of the engine. Default: information_schema is. */
  readonly isSystem?: (schema: string) => boolean
  /** The statements that describe a schema. The one with the names of tables is called `tables`. */
  readonly statements: (place: SchemaPlace) => readonly Statement[]
  readonly toTables: (results: Results) => TableRows
  /** Runs a statement; the signal ends it in the warehouse, too. */
  readonly run: (statement: Statement, signal: AbortSignal) => Promise<readonly Row[]>
  /** Estimates the bytes that a statement would read, without running it. @default not known */
  readonly bytesRead?: (statement: string, signal: AbortSignal) => Promise<number>
  readonly close?: () => Promise<void>
}

/**
 * Opens the catalog of a warehouse that describes its tables by statements.
 *
 * @throws {StagecraftError} CONNECTION_FAILED when it does not answer; or the signal's reason.
 */
export async function openMetadata(source: MetadataSource, signal?: AbortSignal): Promise<Catalog> {
  let life = new AbortController()
  const end = (reason: unknown): void => {
    life.abort(reason)
    life = new AbortController()
  }
  const catalog = {
    dialect: source.dialect,
    reportsStatements: true as const,
    withSession: <Result>(work: (session: Session) => Promise<Result>) =>
      work(metadataSession(source, life.signal)),
    bytesRead: source.bytesRead,
    cancel: () => end(new Error('the statement was cancelled')),
    close: async () => {
      end(new Error('the catalog was closed'))
      await source.close?.()
    },
  }
  // nobody else can end its statements before it is open
  const onAbort = (): void => end(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  try {
    return await openWarehouse(catalog, signal)
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}

function metadataSession(source: MetadataSource, life: AbortSignal): Session {
  const { database, defaultSchema, statements, toTables } = source
  const own = new AbortController()
  const signal = AbortSignal.any([life, own.signal])
  const run = (statement: Statement): Promise<readonly Row[]> =>
    reported(
      statement.name,
      () => source.run(statement, signal),
      (rows) => rows.length,
    )
  const read = async ({ schemas, tables }: Scope, isWanted: Wanted): Promise<TableRows> => {
    const parts = await inTurn(schemas, async (schema) => {
      const wanted = statements({ database, schema, tables }).filter(isWanted)
      const { missing, results } = await resultsOf(wanted, run)
      const rows = toTables(results)
      return { ...rows, warnings: [...(rows.warnings ?? []), ...missing] }
    })
    return joinRows(parts)
  }
  return {
    place: async () => toPlace(await run(source.schemas), source),
    names: async (schemas) => (await read({ schemas }, ({ name }) => name === 'tables')).tables,
    read: async (scope) => withinScope(await read(scope, ({ onlySizes }) => !onlySizes), scope),
    query: (text) => run({ name: 'query', text, values: [] }),
    sizes: async (scope) => (await read(scope, isOfSizes)).sizes ?? [],
    cancel: async () => own.abort(new Error('the statement was cancelled')),
  }

  function toPlace(rows: readonly Row[], { isSystem = isInformationSchema }: MetadataSource): Place {
    const names = rows.flatMap((row) =>
      Object.entries(row).flatMap(([header, cell]) =>
        header.toLowerCase() === 'schema_name' ? [String(cell)] : [],
      ),
    )
    return {
      database,
      defaultSchema,
      isOneSchema: true,
      schemas: names.map((name) => ({ name, isSystem: isSystem(name) })),
    }
  }
}

function isInformationSchema(schema: string): boolean {
  return schema.toLowerCase() === 'information_schema'
}

type Wanted = (statement: Statement) => boolean

/** The names of tables, and what is told of their sizes beside them. */
function isOfSizes({ name, onlySizes, tellsSizes }: Statement): boolean {
  return onlySizes === true || tellsSizes === true || name === 'tables'
}

interface Read {
  readonly results: Results
  /** A warning for each optional statement that failed. */
  readonly missing: readonly Warning[]
}

async function resultsOf(
  statements: readonly Statement[],
  run: (statement: Statement) => Promise<readonly Row[]>,
): Promise<Read> {
  const missing: Warning[] = []
  const failures: unknown[] = []
  const rows = await inTurn(statements, async (one) => {
    try {
      return [[one.name, await run(one)] as const]
    } catch (error) {
      if (!one.optional || !(error instanceof StagecraftError)) {
        if (!isHeard()) throw error
        failures.push(error)
        return []
      }
      const stated = error.details?.['reason']
      const reason = typeof stated === 'string' ? stated : error.message
      const message = `the statement "${one.name}" was skipped: ${reason}`
      missing.push({ code: 'CATALOG_PARTLY_READ', message })
      return []
    }
  })
  if (failures.length > 0) throw failures[0]
  return { results: Object.fromEntries(rows.flat()), missing }
}

/** One after the other: a session of a warehouse runs one statement at a time, and each costs. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await work(item))
  return results
}

function joinRows(parts: readonly TableRows[]): TableRows {
  return {
    tables: parts.flatMap(({ tables }) => tables),
    columns: parts.flatMap(({ columns }) => columns),
    keys: parts.flatMap(({ keys }) => keys),
    foreignKeys: parts.flatMap(({ foreignKeys }) => foreignKeys),
    checks: parts.flatMap(({ checks }) => checks),
    sizes: parts.flatMap(({ sizes = [] }) => sizes),
    warnings: parts.flatMap(({ warnings = [] }) => warnings),
  }
}

/** Leaves out tables that were not requested: a statement may return more. */
function withinScope(rows: TableRows, { tables }: Scope): TableRows {
  if (!tables) return rows
  const wanted = new Set(tables)
  return { ...rows, tables: rows.tables.filter(({ table }) => wanted.has(table)) }
}
