import { readUniqueIndex } from '../ddl/unique-index.ts'
import { readEnumType } from '../sql/enum-type.ts'
import type {
  CheckRow,
  ColumnRow,
  ForeignKeyRow,
  KeyRow,
  Place,
  Scope,
  Session,
  TablePlace,
  TableRow,
  TableRows,
} from '../warehouse/warehouse.ts'
import * as sql from './queries.ts'

/** Asks one query and returns its rows. */
export type Query = <Row>(text: string) => Promise<readonly Row[]>

interface ConstraintRow extends TablePlace {
  readonly type: string
  readonly expression: string | null
  readonly columns: readonly string[]
  readonly toTable: string | null
  readonly toColumns: readonly string[]
}

/** The queries of a session with DuckDB. */
export function duckdbSession(query: Query): Session {
  return {
    place: async () => {
      const [place] = await query<Omit<Place, 'schemas'>>(sql.PLACE)
      const schemas = await query<Place['schemas'][number]>(sql.SCHEMAS)
      return { database: place?.database, defaultSchema: place?.defaultSchema, schemas }
    },
    names: (schemas) => query<TablePlace>(sql.names(schemas)),
    read: (scope) => readTables(query, scope),
    query: (statement) => query(statement),
  }
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
