import { type Catalog, type DialectName, StagecraftError, type Warning } from '@stagecraft/spec'
import { hasListeners, reported } from './observe.ts'
import type { Results, Row, SchemaPlace, Statement } from './statement.ts'
import { openWarehouse } from './warehouse-catalog.ts'
import type { Place, Scope, Session, TableRows } from './warehouse.ts'

/** A warehouse that describes its tables by statements, one schema at a time. */
export interface MetadataSource {
  readonly dialect: DialectName
  /** The database of the address. */
  readonly database: string | undefined
  /** The schema of the address; only this schema is then read by default. */
  readonly defaultSchema: string | undefined
  /** The statement that lists the schemas, in a column `schema_name`. */
  readonly schemas: Statement
  /** Returns true for an internal schema. @default only for information_schema */
  readonly isSystem?: (schema: string) => boolean
  /** Returns the statements that describe a schema. The statement named `tables` lists the tables. */
  readonly statements: (place: SchemaPlace) => readonly Statement[]
  readonly toTables: (results: Results) => TableRows
  /** Runs a statement; the signal also cancels it in the warehouse. */
  readonly run: (statement: Statement, signal: AbortSignal) => Promise<readonly Row[]>
  /** Estimates the bytes that a statement would read, without running it. Default: unknown. */
  readonly bytesRead?: (statement: string, signal: AbortSignal) => Promise<number>
  readonly close?: () => Promise<void>
}

/**
 * Opens the catalog of a warehouse that describes its tables by statements.
 *
 * @throws {StagecraftError} CONNECTION_FAILED if the warehouse does not answer; or the signal's reason.
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
  // until the catalog is open, only this signal can stop its statements
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
    sizes: async (scope) => (await read(scope, hasSizes)).sizes ?? [],
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

/** Returns true for statements with sizes, including the list of tables. */
function hasSizes({ name, onlySizes, withSizes }: Statement): boolean {
  return onlySizes === true || withSizes === true || name === 'tables'
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
  const rows = await inTurn(statements, async (statement) => {
    try {
      return [[statement.name, await run(statement)] as const]
    } catch (error) {
      if (!statement.optional || !(error instanceof StagecraftError)) {
        if (!hasListeners()) throw error
        failures.push(error)
        return []
      }
      const stated = error.details?.['reason']
      const reason = typeof stated === 'string' ? stated : error.message
      const message = `the statement "${statement.name}" was skipped: ${reason}`
      missing.push({ code: 'CATALOG_PARTLY_READ', message })
      return []
    }
  })
  if (failures.length > 0) throw failures[0]
  return { results: Object.fromEntries(rows.flat()), missing }
}

/** Works on one item after the other, because a session runs one statement at a time. */
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

/** Removes tables that were not requested, because a statement may return more. */
function withinScope(rows: TableRows, { tables }: Scope): TableRows {
  if (!tables) return rows
  const wanted = new Set(tables)
  return { ...rows, tables: rows.tables.filter(({ table }) => wanted.has(table)) }
}
