import type { Warning } from '@stagecraft/spec'
import { standardTables } from '../warehouse/standard-tables.ts'
import type { Results, Row } from '../warehouse/statement.ts'
import type { TableRows } from '../warehouse/warehouse.ts'

/**
 * The maximum number of rows that SHOW returns:
 * https://docs.snowflake.com/en/sql-reference/sql/show-primary-keys
 */
export const MOST_SHOWN = 10_000

/** Reads the tables of a schema, with their keys, although Snowflake does not enforce these. */
export function toTables(results: Results): TableRows {
  const {
    imported_keys: imported = [],
    keys: read = [],
    primary_keys: primary = [],
    unique_keys: unique = [],
  } = results
  const keys = [
    ...read,
    ...primary.map((row) => keyRow(row, 'PRIMARY KEY')),
    ...unique.map((row) => keyRow(row, 'UNIQUE')),
    ...imported.map(foreignKeyRow),
  ]
  const groups = [...Map.groupBy(keys, (row) => cellOf(row, 'constraint_type'))]
  const rows = standardTables({ ...results, keys: groups.flatMap(([, shown]) => whole(shown)) })
  const cut = groups.filter(([, shown]) => shown.length >= MOST_SHOWN)
  return {
    ...rows,
    warnings: [...(rows.warnings ?? []), ...cut.map(([type]) => cutWarning(KINDS[String(type)] ?? ''))],
  }
}

const KINDS: Readonly<Record<string, string>> = {
  'PRIMARY KEY': 'primary',
  UNIQUE: 'unique',
  'FOREIGN KEY': 'imported',
}

/** Drops the last key of a truncated list, because some of its columns may be missing. */
function whole(rows: readonly Row[]): readonly Row[] {
  const last = rows.at(-1)
  if (!last || rows.length < MOST_SHOWN) return rows
  return rows.filter((row) => cellOf(row, 'constraint_name') !== cellOf(last, 'constraint_name'))
}

function cutWarning(kind: string): Warning {
  const message = `Snowflake lists at most ${MOST_SHOWN} columns of ${kind} keys, and the schema may have more: some keys may be missing`
  return { code: 'CATALOG_PARTLY_READ', message }
}

function keyRow(row: Row, type: 'PRIMARY KEY' | 'UNIQUE'): Row {
  return {
    table_schema: cellOf(row, 'schema_name'),
    table_name: cellOf(row, 'table_name'),
    column_name: cellOf(row, 'column_name'),
    ordinal_position: cellOf(row, 'key_sequence'),
    constraint_name: cellOf(row, 'constraint_name'),
    constraint_type: type,
  }
}

function foreignKeyRow(row: Row): Row {
  return {
    table_schema: cellOf(row, 'fk_schema_name'),
    table_name: cellOf(row, 'fk_table_name'),
    column_name: cellOf(row, 'fk_column_name'),
    ordinal_position: cellOf(row, 'key_sequence'),
    constraint_name: cellOf(row, 'fk_name'),
    constraint_type: 'FOREIGN KEY',
    referenced_schema: cellOf(row, 'pk_schema_name'),
    referenced_table: cellOf(row, 'pk_table_name'),
    referenced_column: cellOf(row, 'pk_column_name'),
  }
}

/** Returns a cell of SHOW. Headers are in lower case, or in upper case in some clients. */
export function cellOf(row: Row, header: string): unknown {
  const cell = row[header] ?? row[header.toUpperCase()] ?? null
  return cell
}
