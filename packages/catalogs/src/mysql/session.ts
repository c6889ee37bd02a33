import { quoteText, resolveEscapes } from '../sql/texts.ts'
import { readEnumType } from '../sql/value-list.ts'
import {
  type ForeignKeyColumnRow,
  type KeyColumnRow,
  groupForeignKeys,
  groupKeys,
  keyOf,
} from '../warehouse/assemble-tables.ts'
import type {
  CheckRow,
  ColumnRow,
  Scope,
  Session,
  SizeRow,
  TablePlace,
  TableRow,
  TableRows,
} from '../warehouse/warehouse.ts'
import { readStorageList, toStorage } from '../warehouse/storage.ts'
import * as sql from './queries.ts'
import { isJson } from './to-tables.ts'

interface RawTable extends TablePlace {
  readonly type: string
  readonly comment: string
}

interface RawColumn extends TablePlace {
  readonly name: string
  readonly type: string
  readonly nullable: 'YES' | 'NO'
  readonly default: string | null
  readonly comment: string
  readonly extra: string
}

/** Converts a table. The comment of a view is the word VIEW, or the reason why the view is broken. */
function toTableRow({ comment, schema, table, type }: RawTable): TableRow {
  const isView = type.endsWith('VIEW')
  return { schema, table, kind: isView ? 'view' : 'table', comment: isView ? null : comment }
}

interface RawPartition extends TablePlace {
  readonly expression: string
}

function withStorage(row: TableRow, partitions: ReadonlyMap<string, string>): TableRow {
  const storage = toStorage({ partitionedBy: readStorageList(partitions.get(keyOf(row)) ?? '', 'mysql') })
  return storage ? { ...row, storage } : row
}

function toColumnRow(row: RawColumn, checks: readonly CheckRow[]): ColumnRow {
  const { comment, name, nullable, schema, table, type } = row
  return {
    schema,
    table,
    name,
    type: isJson(row, checks) ? 'json' : type,
    nullable: nullable === 'YES',
    comment,
    default: defaultOf(row),
    values: readEnumType(type, 'mysql') ?? null,
    hidden: /\bINVISIBLE\b/i.test(row.extra),
  }
}

/**
 * Returns the default as an expression. MariaDB prints an expression, with `NULL` for none; MySQL prints text
 * without quotes, and marks expressions with DEFAULT_GENERATED.
 */
function defaultOf({ default: text, extra, type }: RawColumn): string | null {
  if (text === null || text === 'NULL' || /\b(?:VIRTUAL|STORED|PERSISTENT) GENERATED\b/i.test(extra))
    return null
  if (/\bDEFAULT_GENERATED\b/i.test(extra)) return resolveEscapes(text)
  const isExpression = /^['(]|^current_timestamp|\(\)$/i.test(text)
  const isText = /^(?:(?:var)?char|tinytext|text|mediumtext|longtext|enum|set|date|time|year)/i.test(type)
  return isText && !isExpression ? quoteText(text) : text
}

/** Runs one query and returns its rows. */
export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/** Creates a session with MySQL or MariaDB; `cancel` stops the running query. */
export function mysqlSession(query: Query, cancel?: () => Promise<void>): Session {
  return {
    place: async () => {
      const [current] = await query<{ readonly name: string | null }>(sql.DEFAULT_SCHEMA)
      const schemas = await query<{ readonly name: string; readonly isSystem: number }>(sql.SCHEMAS)
      return {
        database: undefined,
        defaultSchema: current?.name ?? undefined,
        isOneSchema: true,
        schemas: schemas.map(({ isSystem, name }) => ({ name, isSystem: isSystem === 1 })),
      }
    },
    names: async (schemas) => {
      const rows = await query<TablePlace>(sql.NAMES, [schemas])
      return rows.filter(({ schema }) => schemas.includes(schema))
    },
    read: (scope) => readTables(query, scope),
    query: (statement) => query(statement),
    sizes: ({ schemas, tables }) => query<SizeRow>(sql.SIZES, [schemas, tables]),
    ...(cancel && { cancel }),
  }
}

/**
 * Reads tables. information_schema ignores the case of names, so rows of tables that differ only in case are
 * removed here.
 */
async function readTables(query: Query, { schemas, tables }: Scope): Promise<TableRows> {
  const byTable = tables !== undefined
  const wanted = { schemas: new Set(schemas), tables: new Set(tables) }
  const read = async <Row extends TablePlace>(text: string): Promise<readonly Row[]> => {
    const rows = await query<Row>(text, byTable ? [schemas, tables] : [schemas])
    return rows.filter(
      ({ schema, table }) => wanted.schemas.has(schema) && (!byTable || wanted.tables.has(table)),
    )
  }
  const checks = await readChecks(query, read, byTable)
  const partitions = new Map(
    (await read<RawPartition>(sql.partitions(byTable))).map((row) => [keyOf(row), row.expression]),
  )
  return {
    tables: (await read<RawTable>(sql.tables(byTable))).map((row) =>
      withStorage(toTableRow(row), partitions),
    ),
    columns: (await read<RawColumn>(sql.columns(byTable))).map((row) => toColumnRow(row, checks)),
    keys: groupKeys(await read<KeyColumnRow>(sql.keys(byTable))),
    foreignKeys: groupForeignKeys(await read<ForeignKeyColumnRow>(sql.foreignKeys(byTable))),
    checks,
  }
}

type Read = <Row extends TablePlace>(text: string) => Promise<readonly Row[]>

async function readChecks(query: Query, read: Read, byTable: boolean): Promise<readonly CheckRow[]> {
  const named = await query<{ readonly name: string }>(sql.CHECK_COLUMNS)
  const columns = new Set(named.map(({ name }) => name.toUpperCase()))
  if (columns.has('TABLE_NAME')) return read<CheckRow>(sql.mariadbChecks(byTable))
  if (!columns.has('CHECK_CLAUSE')) return []
  const rows = await read<CheckRow>(sql.mysqlChecks(byTable))
  // MySQL escapes twice here: it prints 'it\'s' as \'it\\\'s\'
  return rows.map((row) => ({ ...row, expression: resolveEscapes(row.expression) }))
}
