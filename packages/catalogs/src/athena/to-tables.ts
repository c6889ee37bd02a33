import { type Json, toJson, toList, toText } from '../dbt/json.ts'
import type { TableStorage } from '@stagecraft/spec'
import { toStorage } from '../warehouse/storage.ts'
import type { ColumnRow, SizeRow, TableRow, TableRows } from '../warehouse/warehouse.ts'

/** The tables of one database of Glue, as `GetTables` returns them. */
export interface GlueTables {
  readonly schema: string
  /** The entries of `TableList`: https://docs.aws.amazon.com/glue/latest/webapi/API_Table.html */
  readonly tables: readonly Json[]
}

/** Reads answers of Glue. Partition columns come after those of the files, as in Athena. */
export function toTables(answers: readonly GlueTables[]): TableRows {
  const read = answers.flatMap(({ schema, tables }) => tables.map((table) => readTable(schema, table)))
  const whole = read.filter(({ columns }) => columns.length > 0)
  return {
    tables: whole.map(({ row }) => row),
    columns: whole.flatMap(({ columns }) => columns),
    keys: [],
    foreignKeys: [],
    checks: [],
    sizes: whole.map(({ size }) => size),
    warnings: read
      .filter(({ columns }) => columns.length === 0)
      .map(({ row, target }) => ({
        code: 'CATALOG_PARTLY_READ',
        message: `${row.schema}.${row.table} was skipped: ${target === undefined ? 'Glue has no columns for it' : `it is a link to ${target}, which is read under its own name`}`,
      })),
  }
}

interface GlueTable {
  readonly row: TableRow
  readonly columns: readonly ColumnRow[]
  readonly size: SizeRow
  /** The table that a resource link points to. */
  readonly target: string | undefined
}

function readTable(schema: string, table: Json): GlueTable {
  const place = { schema, table: toText(table['Name']) ?? '' }
  const parameters = toJson(table['Parameters'])
  const isView = table['TableType'] === 'VIRTUAL_VIEW'
  const link = toJson(table['TargetTable'])
  return {
    row: {
      ...place,
      kind: isView ? 'view' : 'table',
      comment: commentOf(table, parameters, isView),
      storage: glueStorage(table),
    },
    columns: columnsOf(table).map((column) => ({
      ...place,
      name: toText(column['Name']) ?? '',
      type: toText(column['Type']) ?? 'unknown',
      nullable: toJson(column['Parameters'])['iceberg.field.optional'] !== 'false',
      comment: toText(column['Comment']) ?? null,
    })),
    size: {
      ...place,
      rows: countOf(parameters, ['recordCount', 'numRows', 'spark.sql.statistics.numRows']),
      bytes: countOf(parameters, ['sizeKey', 'totalSize', 'spark.sql.statistics.totalSize']),
      version: toText(parameters['metadata_location']), // for Iceberg; it changes with every commit
    },
    target:
      toText(link['Name']) === undefined
        ? undefined
        : `${toText(link['DatabaseName']) ?? ''}.${toText(link['Name'])}`,
  }
}

/**
 * Returns the current columns. Iceberg also lists dropped columns, and crawlers may find a partition column
 * in the files.
 */
function columnsOf(table: Json): readonly Json[] {
  const stored = toList(toJson(table['StorageDescriptor'])['Columns']).filter(
    (column) => toJson(column['Parameters'])['iceberg.field.current'] !== 'false',
  )
  const names = new Set(stored.map((column) => column['Name']))
  return [...stored, ...toList(table['PartitionKeys']).filter((column) => !names.has(column['Name']))]
}

/**
 * Reads the storage of a table. Rows of a bucket are in one file:
 * https://docs.aws.amazon.com/glue/latest/webapi/API_StorageDescriptor.html
 */
function glueStorage(table: Json): TableStorage | undefined {
  const storage = toJson(table['StorageDescriptor'])
  const names = (list: unknown, member: string): readonly string[] =>
    toList(list).flatMap((one) => toText(one[member]) ?? [])
  const buckets = storage['BucketColumns']
  return toStorage({
    partitionedBy: names(table['PartitionKeys'], 'Name'),
    clusteredBy: Array.isArray(buckets) ? buckets.flatMap((name: unknown) => toText(name) ?? []) : [],
    sortedBy: names(storage['SortColumns'], 'Column'),
  })
}

/** Returns the comment. Athena itself gives every view the comment `Presto View`, which is ignored. */
function commentOf(table: Json, parameters: Json, isView: boolean): string | null {
  const comment = toText(parameters['comment']) ?? toText(table['Description']) ?? null
  return isView && comment === 'Presto View' ? null : comment
}

/** Returns the first parameter with a count. Crawlers, Hive and Spark use different ones, with −1 for unknown. */
function countOf(parameters: Json, names: readonly string[]): number | undefined {
  const texts = names.flatMap((name) => toText(parameters[name]) ?? [])
  const found = texts.find((text) => /^\d+$/.test(text))
  return found === undefined ? undefined : Number(found)
}
