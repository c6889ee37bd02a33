import { readDeclaredValues } from '../ddl/declared-values.ts'
import { findName } from '../find-table.ts'
import { mergeValues } from '../merge-values.ts'
import type { ValueList } from '../sql/value-list.ts'
import {
  type ForeignKeyColumnRow,
  groupForeignKeys,
  groupKeys,
  type KeyColumnRow,
} from '../warehouse/group-keys.ts'
import type { ColumnRow, Scope, Session, TablePlace, TableRow, TableRows } from '../warehouse/warehouse.ts'
import * as sql from './queries.ts'

/** Asks one query, for the named tables or for all, and returns its rows. */
export type Query = (text: string, tables?: readonly string[]) => readonly unknown[]

interface RawTable extends TablePlace {
  readonly kind: 'table' | 'view'
  readonly sql: string | null
}

interface RawColumn extends TablePlace {
  readonly name: string
  readonly type: string
  readonly nullable: number
  readonly default: string | null
}

/** The queries of a session with SQLite. */
export function sqliteSession(query: Query): Session {
  return {
    place: async () => {
      query(sql.PLACE)
      return { database: undefined, defaultSchema: 'main', schemas: [{ name: 'main', isSystem: false }] }
    },
    names: async () => query(sql.NAMES) as readonly TablePlace[],
    read: async ({ tables }) => readTables(query, tables),
    query: async (statement) => query(statement) as readonly Readonly<Record<string, unknown>>[],
  }
}

function readTables(query: Query, wanted: Scope['tables']): TableRows {
  const tables = query(sql.TABLES, wanted) as readonly RawTable[]
  const columns = [
    ...(query(sql.columns('table'), wanted) as readonly RawColumn[]),
    ...readViews(query, tables, wanted),
  ]
  const values = new Map(
    tables.map(({ sql: text, table }) => [table, readDeclaredValues(text ?? '', 'sqlite')]),
  )
  const names = Map.groupBy(columns, ({ table }) => table)
  return {
    tables: tables.map(toTableRow),
    columns: columns.map((row) => {
      const siblings = names.get(row.table)?.map(({ name }) => name) ?? []
      return toColumnRow(
        row,
        values.get(row.table)?.filter(({ column }) => findName(column, siblings) === row.name),
      )
    }),
    keys: groupKeys([
      ...(query(sql.PRIMARY_KEYS, wanted) as readonly KeyColumnRow[]),
      ...(query(sql.UNIQUE_KEYS, wanted) as readonly KeyColumnRow[]),
    ]),
    foreignKeys: groupForeignKeys(query(sql.FOREIGN_KEYS, wanted) as readonly ForeignKeyColumnRow[]),
    checks: [],
  }
}

/**
 * One view whose tables are gone makes the query for all views fail. Only then are they read one by one, the broken ones
 * without columns; the database is in this process, so that a query costs no journey.
 */
function readViews(query: Query, tables: readonly RawTable[], wanted: Scope['tables']): readonly RawColumn[] {
  const read = (names: Scope['tables']): readonly RawColumn[] =>
    query(sql.columns('view'), names) as readonly RawColumn[]
  try {
    return read(wanted)
  } catch {
    const views = tables.filter(({ kind }) => kind === 'view')
    return views.flatMap(({ table }) => {
      try {
        return read([table])
      } catch {
        return []
      }
    })
  }
}

function toTableRow({ kind, schema, table }: RawTable): TableRow {
  return { schema, table, kind }
}

/** A column may have no type: it then takes values of any. */
function toColumnRow(row: RawColumn, lists: readonly ValueList[] = []): ColumnRow {
  return {
    ...row,
    type: row.type || 'any',
    nullable: row.nullable === 1,
    values: mergeValues(lists.map(({ values }) => values)) ?? null,
  }
}
