import type { ColumnValue } from '@stagecraft/spec'
import { readSchema } from '../ddl/read-schema.ts'
import { readEnumType } from '../sql/value-list.ts'
import { standardTables } from '../warehouse/standard-tables.ts'
import type { Results, Row } from '../warehouse/statement.ts'
import type { TablePlace, TableRows } from '../warehouse/warehouse.ts'

/**
 * Engines that store rows elsewhere, by prefix:
 * https://clickhouse.com/docs/engines/table-engines/integrations
 */
const EXTERNAL =
  /^(?:Azure|COSN|DeltaLake|ExternalDistributed|File|GCS|HDFS|Hive|Hudi|Iceberg|JDBC|Kafka|MaterializedPostgreSQL|MongoDB|MySQL|NATS|ODBC|OSS|PostgreSQL|RabbitMQ|Redis|S3|SQLite|URL|YTsaurus)/

/** Types that are nullable without `Nullable`: https://clickhouse.com/docs/sql-reference/data-types */
const HOLDS_NULL =
  /^(?:LowCardinality\()?(?:Nullable|Variant)\(|^(?:Dynamic|Nothing)\b|^SimpleAggregateFunction\([^,]+,\s*(?:LowCardinality\()?Nullable\(/

/**
 * Reads the answers to `statements`. A primary key of ClickHouse is only a sort order and not unique, so no
 * table gets one.
 */
export function toTables({ columns = [], parts = [], tables = [], ...others }: Results): TableRows {
  const changes = new Map(parts.map((row) => [keyOf(row), row]))
  const rows = standardTables({
    ...others,
    tables: tables.map((row) => ({
      ...row,
      table_type: kindOf(textOf(row['table_type'])),
      last_changed: changes.get(keyOf(row))?.['last_changed'],
      changed_at: changes.get(keyOf(row))?.['changed_at'],
    })),
    columns: columns.map(toStandardColumn),
  })
  const checked = readChecks(tables)
  const readable = new Set(rows.columns.map(placeOf))
  return {
    ...rows,
    // a view with parameters has no columns, and cannot be read as a table
    tables: columns.length === 0 ? rows.tables : rows.tables.filter((one) => readable.has(placeOf(one))),
    columns: rows.columns.map((row) => {
      const values = readEnumType(row.type, 'clickhouse') ?? checked(row)
      return values ? { ...row, values } : row
    }),
  }
}

function kindOf(engine: string): string {
  if (engine.endsWith('View')) return 'VIEW'
  return EXTERNAL.test(engine) ? 'EXTERNAL' : 'BASE TABLE'
}

/** Converts a column. Only its type decides if it is nullable. */
function toStandardColumn(row: Row): Row {
  return { ...row, is_nullable: HOLDS_NULL.test(textOf(row['data_type'])) ? 'YES' : 'NO' }
}

/** Reads the values that CHECK constraints allow; an unreadable definition allows none. */
function readChecks(
  tables: readonly Row[],
): (column: TablePlace & { readonly name: string }) => readonly ColumnValue[] | undefined {
  const lists = tables.flatMap((row) => {
    const sql = textOf(row['definition'])
    if (sql === '') return []
    const { tables: found } = readSchema([{ name: 'definition', sql }], { dialect: 'clickhouse' })
    return found.flatMap(({ columns }) =>
      columns.map(({ name, values }) => [`${keyOf(row)} ${name}`, values] as const),
    )
  })
  const byColumn = new Map(lists)
  return (column) => byColumn.get(`${placeOf(column)} ${column.name}`)
}

function keyOf(row: Row): string {
  return placeOf({ schema: textOf(row['table_schema']), table: textOf(row['table_name']) })
}

function placeOf({ schema, table }: TablePlace): string {
  return JSON.stringify([schema, table])
}

function textOf(cell: unknown): string {
  return typeof cell === 'string' ? cell : ''
}
