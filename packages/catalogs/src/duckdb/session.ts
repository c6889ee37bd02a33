import type { SizesOptions } from '@stagecraft/spec'
import { readUniqueIndex } from '../ddl/statements.ts'
import { readEnumType } from '../sql/value-list.ts'
import type {
  CheckRow,
  ColumnRow,
  ForeignKeyRow,
  KeyRow,
  Place,
  Scope,
  Session,
  SizeRow,
  TablePlace,
  TableRow,
  TableRows,
} from '../warehouse/warehouse.ts'
import * as sql from './queries.ts'

/** Runs one query and returns its rows. */
export type Query = <Row>(text: string) => Promise<readonly Row[]>

interface ConstraintRow extends TablePlace {
  readonly type: string
  readonly expression: string | null
  readonly columns: readonly string[]
  readonly toTable: string | null
  readonly toColumns: readonly string[]
}

interface DuckdbSessionOptions {
  /** Stops the running query. */
  readonly cancel?: () => Promise<void>
  /** A version that changes with the database. */
  readonly version?: () => Promise<string | undefined>
}

/** Creates a session with DuckDB. */
export function duckdbSession(query: Query, { cancel, version }: DuckdbSessionOptions = {}): Session {
  return {
    place: async () => {
      const [place] = await query<Omit<Place, 'schemas'>>(sql.PLACE)
      const schemas = await query<Place['schemas'][number]>(sql.SCHEMAS)
      return { database: place?.database, defaultSchema: place?.defaultSchema, schemas }
    },
    names: (schemas) => query<TablePlace>(sql.names(schemas)),
    read: (scope) => readTables(query, scope),
    query: (statement) => query(statement),
    sizes: async (scope, options) => readSizes(query, scope, { ...options, version: await version?.() }),
    ...(cancel && { cancel }),
  }
}

async function readSizes(
  query: Query,
  scope: Required<Scope>,
  { bytes = false, version }: SizesOptions & { readonly version: string | undefined },
): Promise<readonly SizeRow[]> {
  const rows = await query<SizeRow>(sql.sizes(scope))
  const blocks = bytes && rows.length > 0 ? await query<SizeRow>(sql.bytes(rows)) : []
  return rows.map((row) => {
    const size = blocks.find(({ schema, table }) => schema === row.schema && table === row.table)
    return { ...row, bytes: size?.bytes, version }
  })
}

async function readTables(query: Query, scope: Scope): Promise<TableRows> {
  const constraints = await query<ConstraintRow>(sql.constraints(scope))
  const indexes = await query<TablePlace & { readonly sql: string | null }>(sql.uniqueIndexes(scope))
  const columns = await query<ColumnRow>(sql.columns(scope))
  return {
    tables: await query<TableRow>(sql.tables(scope)),
    columns: columns.map((row) => ({ ...row, values: readEnumType(row.type, 'duckdb') ?? null })),
    keys: [...constraints.flatMap(toKey), ...indexes.flatMap(toUniqueKey)],
    foreignKeys: constraints.flatMap(toForeignKey),
    checks: constraints.flatMap(toCheck),
  }
}

function toKey({ columns, schema, table, type }: ConstraintRow): readonly KeyRow[] {
  if (type === 'PRIMARY KEY') return [{ schema, table, kind: 'primary', columns }]
  return type === 'UNIQUE' ? [{ schema, table, kind: 'unique', columns }] : []
}

function toUniqueKey({
  schema,
  sql: text,
  table,
}: TablePlace & { readonly sql: string | null }): readonly KeyRow[] {
  const columns = text === null ? undefined : readUniqueIndex(text, 'duckdb')
  return columns ? [{ schema, table, kind: 'unique', columns }] : []
}

function toForeignKey({
  columns,
  schema,
  table,
  toColumns,
  toTable,
}: ConstraintRow): readonly ForeignKeyRow[] {
  return toTable === null
    ? []
    : [{ schema, table, columns, references: { schema, table: toTable, columns: toColumns } }]
}

function toCheck({ expression, schema, table, type }: ConstraintRow): readonly CheckRow[] {
  return type === 'CHECK' && expression !== null ? [{ schema, table, expression }] : []
}
