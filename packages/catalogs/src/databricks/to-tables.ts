import { standardTables } from '../warehouse/standard-tables.ts'
import type { Results, Row } from '../warehouse/statement.ts'
import type { TableRows } from '../warehouse/warehouse.ts'
import { readSparkSchema } from './spark-schema.ts'

/** Reads the answers to `statements`, from Unity Catalog or from the Hive metastore. */
export function toTables(results: Results): TableRows {
  const { details = [], tables = [] } = results
  const isHive = tables.some((row) => cell(row, 'information') !== undefined)
  return standardTables(
    isHive ? fromHive(tables) : { ...results, tables: withDetails(tables.map(correctType), details) },
  )
}

function withDetails(tables: readonly Row[], details: readonly Row[]): readonly Row[] {
  const known = new Map(details.map((row) => [cell(row, 'tableName'), cell(row, 'information')]))
  return tables.map((row) => {
    const information = known.get(cell(row, 'table_name'))
    return { ...row, ...sizeOf(information), cluster_key: clusteringOf(information) }
  })
}

const CLUSTERING = /\bclusteringColumns=(\[(?:\[(?:"(?:[^"\\]|\\.)*",?)*\],?)*\])/

/**
 * Returns the columns of liquid clustering, each a path, from the table properties:
 * `clusteringColumns=[["id"],["place","city"]]`. https://docs.databricks.com/aws/en/delta/clustering
 */
function clusteringOf(information = ''): string | undefined {
  const json = CLUSTERING.exec(line(information, 'Table Properties') ?? '')?.[1]
  if (json === undefined) return undefined
  const paths = JSON.parse(json) as readonly (readonly string[])[]
  return paths.map((path) => path.map(plainOrQuoted).join('.')).join(', ')
}

function plainOrQuoted(name: string): string {
  return /^\w+$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}

/** Reads `Statistics: 2048 bytes, 17 rows`. The rows are present only if the table was analyzed. */
function sizeOf(information = ''): Row {
  const statistics = line(information, 'Statistics') ?? ''
  return {
    byte_count: /^(\d+) bytes/.exec(statistics)?.[1],
    row_count: /(\d+) rows$/.exec(statistics)?.[1],
  }
}

/** Returns the schemas in the answer to `schemasStatement`, under the header that all warehouses share. */
export function toSchemas(rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => ({
    schema_name: cell(row, 'schema_name') ?? cell(row, 'databaseName') ?? cell(row, 'namespace'),
  }))
}

/** Corrects the type. A table with external files is a normal table, unlike a table of another engine. */
function correctType(row: Row): Row {
  const type = cell(row, 'table_type') ?? ''
  return /^EXTERNAL/i.test(type) ? { ...row, table_type: 'BASE TABLE' } : row
}

function fromHive(rows: readonly Row[]): Results {
  const relations = rows
    .filter((row) => cell(row, 'isTemporary') !== 'true')
    .map((row) => {
      const information = cell(row, 'information') ?? ''
      const place = {
        table_schema: cell(row, 'database') ?? cell(row, 'namespace'),
        table_name: cell(row, 'tableName'),
      }
      return { information, place }
    })
  return {
    tables: relations.map(({ information, place }) => ({
      ...place,
      table_type: line(information, 'Type') === 'VIEW' ? 'VIEW' : 'BASE TABLE',
      table_comment: line(information, 'Comment'),
      cluster_key: clusteringOf(information),
      partition_key: /^\[(.*)\]$/.exec(line(information, 'Partition Columns') ?? '')?.[1],
      ...sizeOf(information),
    })),
    columns: relations.flatMap(({ information, place }) =>
      readSparkSchema(information).map(({ name, nullable, type }, at) => ({
        ...place,
        column_name: name,
        ordinal_position: at + 1,
        data_type: type,
        is_nullable: nullable,
      })),
    ),
  }
}

/** Returns the value of a line such as `Comment: Orders of the shop`. */
function line(information: string, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(information)?.[1]
}

/** Returns a cell as text, by its header in any case; undefined if there is none. */
function cell(row: Row, header: string): string | undefined {
  const name = Object.keys(row).find((key) => key.toLowerCase() === header.toLowerCase())
  const value = name === undefined ? undefined : (row[name] as string | number | boolean | null | undefined)
  return value === undefined || value === null ? undefined : String(value)
}
