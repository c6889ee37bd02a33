import type {
  Catalog,
  CatalogTable,
  NamePart,
  QueryOptions,
  SizesOptions,
  SourceName,
  TableSelector,
  TableSize,
  Warning,
} from '@stagecraft/spec'
import { type Miss, findName, missingSource, printName, wholeSchema } from '../find-table.ts'
import { assembleTables, keyOf, toSize } from './assemble-tables.ts'
import { reporting } from './observe.ts'
import type { Place, Scope, Session, TablePlace, Warehouse } from './warehouse.ts'

/** Creates the catalog of a database. It matches names in the same way for every engine. */
function warehouseCatalog(warehouse: Warehouse): Catalog {
  const { dialect } = warehouse
  const warnings = new Map<string, Warning>()
  const { cancel, withSession } = cancellable(warehouse)
  const inSession: Warehouse['withSession'] = (work) =>
    withSession((session) => work(warehouse.reportsStatements ? session : reporting(session)))
  const read = async (
    session: Session,
    scope: Scope,
    { database }: Place,
  ): Promise<readonly CatalogTable[]> => {
    const rows = await session.read(scope)
    for (const warning of rows.warnings ?? []) warnings.set(warning.message, warning)
    return assembleTables(rows, { dialect, database })
  }
  return {
    dialect,
    get warnings() {
      return [...warnings.values()]
    },
    tables: (selector) =>
      inSession(async (session) => {
        const place = await session.place()
        const scope = await selectScope(selector, session, place)
        return scope ? read(session, scope, place) : []
      }),
    describe: (source) =>
      inSession(async (session) => {
        const place = await session.place()
        const { schema, table } = await findTable(source, session, place)
        const [found] = await read(session, { schemas: [schema], tables: [table] }, place)
        if (found) return found
        throw missingSource(source, { level: 'table', place: `the schema ${schema}`, names: [] })
      }),
    ...(warehouse.hasRows !== false && {
      query: (statement: string, { signal }: QueryOptions = {}) =>
        withSession((session) => queryUntil(statement, session, signal)),
    }),
    ...(warehouse.bytesRead && {
      bytesRead: async (statement: string, { signal = new AbortController().signal }: QueryOptions = {}) =>
        (await warehouse.bytesRead?.(statement, signal)) ?? 0,
    }),
    sizes: (wanted, options = {}) =>
      inSession(async (session) => {
        const { defaultSchema = '' } = await session.place()
        return sizesOf(wanted, session, { ...options, defaultSchema })
      }),
    cancel,
    close: () => warehouse.close(),
  }
}

/** Tracks the sessions of a warehouse, so that all running statements can be cancelled. */
function cancellable(warehouse: Warehouse): Required<Pick<Warehouse, 'cancel' | 'withSession'>> {
  const sessions = new Set<Session>()
  return {
    withSession: (work) =>
      warehouse.withSession(async (session) => {
        sessions.add(session)
        try {
          return await work(session)
        } finally {
          sessions.delete(session)
        }
      }),
    cancel: () => {
      if (warehouse.cancel) return warehouse.cancel()
      for (const session of sessions) void session.cancel?.().catch(() => undefined) // the statement ends at its time limit
      return undefined
    },
  }
}

/** Runs a statement; the signal also cancels it in the database. */
async function queryUntil(
  statement: string,
  session: Session,
  signal: AbortSignal | undefined,
): ReturnType<Session['query']> {
  signal?.throwIfAborted()
  // if it cannot be cancelled, it runs until its time limit
  const onAbort = (): void => void session.cancel?.().catch(() => undefined)
  signal?.addEventListener('abort', onAbort)
  try {
    return await session.query(statement)
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}

async function sizesOf(
  wanted: readonly CatalogTable[],
  session: Session,
  { defaultSchema, ...options }: SizesOptions & { readonly defaultSchema: string },
): Promise<readonly TableSize[]> {
  const places = wanted.map(({ name, schema = defaultSchema }): TablePlace => ({ schema, table: name }))
  const scope = {
    schemas: [...new Set(places.map(({ schema }) => schema))],
    tables: [...new Set(places.map(({ table }) => table))],
  }
  const rows = places.length === 0 ? [] : await session.sizes(scope, options)
  const known = new Map(rows.map((row) => [keyOf(row), toSize(row)]))
  return places.map((place) => known.get(keyOf(place)) ?? {})
}

/** Resolves a selector; undefined if nothing in the database matches it. */
async function selectScope(
  { database, schema: wanted, tables }: TableSelector,
  session: Session,
  place: Place,
): Promise<Scope | undefined> {
  if (!hasDatabase(database, place)) return undefined
  if (!wanted && !tables) {
    const schemas = wholeSchemas(place)
    return schemas.length === 0 ? undefined : { schemas }
  }
  const schema = schemaFor(wanted, place)
  if (schema === undefined || !tables) return schema === undefined ? undefined : { schemas: [schema] }
  const names = (await session.names([schema])).map(({ table }) => table)
  const found = tables.flatMap((table) => findName(table, names) ?? [])
  return found.length === 0 ? undefined : { schemas: [schema], tables: [...new Set(found)] }
}

async function findTable(
  source: SourceName,
  session: Session,
  place: Place,
): Promise<{ readonly schema: string; readonly table: string }> {
  if (!hasDatabase(source.database, place)) throw missingSource(source, missingDatabase(place))
  const schema = schemaFor(source.schema, place)
  if (schema === undefined) throw missingSource(source, await missingSchema(source, session, place))
  const names = (await session.names([schema])).map(({ table }) => table)
  const table = findName(source.table, names)
  if (table !== undefined) return { schema, table }
  const elsewhere = await findElsewhere(source, session, place)
  throw missingSource(source, { level: 'table', place: `the schema ${schema}`, names, elsewhere })
}

function hasDatabase(part: NamePart | undefined, { database }: Place): boolean {
  return !part || (database !== undefined && findName(part, [database]) !== undefined)
}

function schemaFor(part: NamePart | undefined, { defaultSchema, schemas }: Place): string | undefined {
  return part
    ? findName(
        part,
        schemas.map(({ name }) => name),
      )
    : defaultSchema
}

/** Returns the schemas that are read by default. */
function wholeSchemas(place: Place): readonly string[] {
  const { defaultSchema, isOneSchema, schemas } = place
  const isThere = schemas.some(({ name }) => name === defaultSchema)
  return isOneSchema && isThere && defaultSchema !== undefined ? [defaultSchema] : ownSchemas(place)
}

function ownSchemas({ schemas }: Place): readonly string[] {
  return schemas.filter(({ isSystem }) => !isSystem).map(({ name }) => name)
}

function missingDatabase({ database }: Place): Miss {
  if (database === undefined)
    return { level: 'database', place: 'an engine that has only schemas', names: [] }
  const name = printName(database)
  return { level: 'database', place: `this connection, which reads ${name}`, names: [], elsewhere: [name] }
}

async function missingSchema({ schema, table }: SourceName, session: Session, place: Place): Promise<Miss> {
  const where = place.database === undefined ? 'this database' : `the database ${printName(place.database)}`
  if (schema) return { level: 'schema', place: where, names: ownSchemas(place) }
  const elsewhere = await findElsewhere({ table }, session, place)
  return { level: 'table', place: `${where}, which has no default schema`, names: [], elsewhere }
}

/** Finds tables with the same name in all schemas, and the schema with that name, as they can be requested. */
async function findElsewhere(source: SourceName, session: Session, place: Place): Promise<readonly string[]> {
  const schemas = ownSchemas(place)
  const names = schemas.length === 0 ? [] : await session.names(schemas)
  const tables = names
    .filter(({ table }) => findName(source.table, [table]) !== undefined)
    .map(({ schema, table }) => `${printName(schema)}.${printName(table)}`)
  return [...wholeSchema(source, schemas), ...tables.toSorted()]
}

/**
 * Opens the catalog of a warehouse after one answer, so that a wrong address fails here, not at the first
 * table.
 *
 * @throws {StagecraftError} CONNECTION_FAILED; or the signal's reason if it aborts before the answer.
 */
export async function openWarehouse(warehouse: Warehouse, signal?: AbortSignal): Promise<Catalog> {
  const abortion = Promise.withResolvers<never>()
  const onAbort = (): void => abortion.reject(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  const answer = signal?.aborted
    ? Promise.reject(signal.reason as Error)
    : warehouse.withSession((session) => session.place())
  try {
    await Promise.race([answer, abortion.promise])
    return warehouseCatalog(warehouse)
  } catch (error) {
    // a running query must end before its connection can be closed, but the caller need not wait for it
    const close = (): Promise<void> => warehouse.close()
    const closed = answer.then(close, close).catch(() => undefined)
    if (!signal?.aborted) await closed
    throw error
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
