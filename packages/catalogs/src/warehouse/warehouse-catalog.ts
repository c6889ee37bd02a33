import type { Catalog, CatalogTable, NamePart, SourceName, TableSelector } from '@stagecraft/spec'
import { findName, type Miss, missingSource } from '../find-table.ts'
import { printName } from '../print-names.ts'
import { assembleTables } from './assemble-tables.ts'
import type { Place, Scope, Session, Warehouse } from './warehouse.ts'

/** The catalog of a database. Names are matched here, the same for every engine. */
export function warehouseCatalog(warehouse: Warehouse): Catalog {
  const { dialect } = warehouse
  const read = async (
    session: Session,
    scope: Scope,
    { database }: Place,
  ): Promise<readonly CatalogTable[]> => assembleTables(await session.read(scope), { dialect, database })
  return {
    dialect,
    tables: (selector) =>
      warehouse.withSession(async (session) => {
        const place = await session.place()
        const scope = await selectScope(selector, session, place)
        return scope ? read(session, scope, place) : []
      }),
    describe: (source) =>
      warehouse.withSession(async (session) => {
        const place = await session.place()
        const { schema, table } = await findTable(source, session, place)
        const [found] = await read(session, { schemas: [schema], tables: [table] }, place)
        if (found) return found
        throw missingSource(source, { level: 'table', place: `the schema ${schema}`, names: [] })
      }),
    query: (statement) => warehouse.withSession((session) => session.query(statement)),
    close: () => warehouse.close(),
  }
}

/** Resolves a selector; undefined if nothing in the database fits it. */
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
  const elsewhere = await findElsewhere(source.table, session, place)
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

/** The schemas of "everything". */
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
    return { level: 'database', place: 'an engine that has schemas only', names: [] }
  const name = printName(database)
  return { level: 'database', place: `this connection, which reads ${name}`, names: [], elsewhere: [name] }
}

async function missingSchema({ schema, table }: SourceName, session: Session, place: Place): Promise<Miss> {
  const where = place.database === undefined ? 'this database' : `the database ${printName(place.database)}`
  if (schema) return { level: 'schema', place: where, names: ownSchemas(place) }
  const elsewhere = await findElsewhere(table, session, place)
  return { level: 'table', place: `${where}, which has no default schema`, names: [], elsewhere }
}

/** Tables of the same name in all schemas, as they would have to be asked for. */
async function findElsewhere(part: NamePart, session: Session, place: Place): Promise<readonly string[]> {
  const schemas = ownSchemas(place)
  const names = schemas.length === 0 ? [] : await session.names(schemas)
  return names
    .filter(({ table }) => findName(part, [table]) !== undefined)
    .map(({ schema, table }) => `${printName(schema)}.${printName(table)}`)
    .toSorted()
}
