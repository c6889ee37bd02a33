import { standardTables } from '../warehouse/standard-tables.ts'
import type { Results, Row } from '../warehouse/statement.ts'
import type { TableRows } from '../warehouse/warehouse.ts'

/** Combines the answers of the leader node and the compute nodes. */
export function toTables(results: Results): TableRows {
  const { columns = [], constraints = [], tables = [] } = results
  const sizes = new Map((results['table_info'] ?? []).map((row) => [placeOf(row), row]))
  const distributed = new Map((results['distribution'] ?? []).map((row) => [columnOf(row), row]))
  return standardTables({
    tables: tables.map((row) => ({ ...row, ...sizeOf(sizes.get(placeOf(row))) })),
    columns: [
      ...columns.map((row) => ({ ...row, ...distributed.get(columnOf(row)) })),
      ...(results['late_binding'] ?? []),
      ...(results['external_columns'] ?? []).map(withPartition),
    ],
    keys: constraints.flatMap(keyRows),
  })
}

function placeOf(row: Row): string {
  return JSON.stringify([row['table_schema'], row['table_name']])
}

function columnOf(row: Row): string {
  return JSON.stringify([row['table_schema'], row['table_name'], row['column_name']])
}

/** Removes the partition position 0, which means that the column is not a partition key. */
function withPartition(row: Row): Row {
  const { partition_position: place } = row
  return { ...row, partition_position: Number(place) > 0 ? place : null }
}

function sizeOf(row: Row | undefined): Row {
  return row ? { row_count: row['row_count'], byte_count: row['byte_count'] } : {}
}

const KINDS: Readonly<Record<string, string>> = { p: 'PRIMARY KEY', u: 'UNIQUE', f: 'FOREIGN KEY' }

/**
 * Returns one row for each column of a key, from a definition such as `FOREIGN KEY (a, "B c") REFERENCES
 * s.t(x, y)`.
 */
function keyRows({ constraint_kind: kind, definition, ...row }: Row): readonly Row[] {
  const [columns = [], referenced = []] = columnLists(String(definition))
  return columns.map((name, index) => ({
    ...row,
    constraint_type: KINDS[String(kind)],
    column_name: name,
    ordinal_position: index + 1,
    referenced_column: referenced[index] ?? null,
  }))
}

const TOKEN = /"(?:[^"]|"")*"|[(),]|[^\s"(),]+/g

/** Returns the names in each pair of parentheses of a definition. */
function columnLists(definition: string): readonly (readonly string[])[] {
  const lists: string[][] = []
  let list: string[] | undefined
  for (const [token] of definition.matchAll(TOKEN)) {
    if (token === '(') lists.push((list = []))
    else if (token === ')') list = undefined
    else if (token !== ',') list?.push(unquote(token))
  }
  return lists
}

function unquote(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name
}
