import { resolveEscapes } from '../sql/escapes.ts'
import {
  type ForeignKeyColumnRow,
  groupForeignKeys,
  groupKeys,
  type KeyColumnRow,
} from '../warehouse/group-keys.ts'
import type { CheckRow, Scope, Session, TablePlace, TableRows } from '../warehouse/warehouse.ts'
import * as sql from './queries.ts'
import { type RawColumn, type RawTable, toColumnRow, toTableRow } from './rows.ts'

/** Asks one query and returns its rows. */
export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/** The queries of a session with MySQL or MariaDB. */
export function mysqlSession(query: Query): Session {
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
  }
}

/** information_schema compares names without case, so that rows of a twin in other case come along. */
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
  return {
    tables: (await read<RawTable>(sql.tables(byTable))).map(toTableRow),
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
  // MySQL escapes twice here: 'it\'s' is printed as \'it\\\'s\'
  return rows.map((row) => ({ ...row, expression: resolveEscapes(row.expression) }))
}
