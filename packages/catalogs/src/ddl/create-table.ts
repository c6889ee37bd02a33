import type { Cursor } from '../sql/cursor.ts'
import { isWord } from '../sql/tokens.ts'
import { readColumn } from './columns.ts'
import { readConstraint } from './constraints.ts'
import type { Change, ColumnDefinition, Constraint, QualifiedName, TableDefinition } from './definitions.ts'
import { readName, unreadable } from './names.ts'
import type { Script } from './script.ts'
import { readTableOptions, type TableOptions } from './table-options.ts'

/** What stands between CREATE and TABLE. */
export interface CreateModifiers {
  readonly isExternal: boolean
  readonly isReplacing: boolean
}

/** A temporary table of SQL Server, a table that SQLite keeps for itself. */
const PASSING_NAME = /^(?:#|sqlite_)/

/** What follows the name where the statement gives no columns: a query, another table, where the rows are. */
const WITHOUT_COLUMNS = [
  'AS',
  'BACKUP',
  'CLONE',
  'CLUSTER',
  'CLUSTERED',
  'COMMENT',
  'COPY',
  'DEEP',
  'DISTKEY',
  'DISTSTYLE',
  'EMPTY',
  'END', // of a block of SQL Server
  'ENGINE',
  'LIKE',
  'LOCATION',
  'OPTIONS',
  'PARTITION',
  'PARTITIONED',
  'ROW',
  'SHALLOW',
  'SORTKEY',
  'STORED',
  'TAG',
  'TBLPROPERTIES',
  'USING',
  'WITH',
]

/**
 * Reads a CREATE TABLE from the name on. Undefined for a table whose columns it does not tell: one made from a query, and
 * a partition of another table.
 *
 * @throws {UnreadableSql} At the first token that is not understood.
 */
export function readCreateTable(
  cursor: Cursor,
  script: Script,
  modifiers: CreateModifiers,
): Change | undefined {
  const keeps = cursor.skip('IF', 'NOT', 'EXISTS')
  const start = cursor.peek()
  const name = readName(cursor, script)
  if (cursor.at('PARTITION', 'OF') || PASSING_NAME.test(name.name)) return undefined
  skipBeforeColumns(cursor)
  const next = cursor.peek()
  if (next && !cursor.atSymbol('(') && !isWord(next, ...WITHOUT_COLUMNS)) {
    throw unreadable(next, `the columns of ${name.name} in brackets`)
  }
  const items = readItems(cursor.takeGroup(), script)
  const options = readTableOptions(cursor, script)
  const isLoose = options.hasLoosePrimaryKey || script.dialect === 'clickhouse'
  const bare = items.columns.find(({ isComputed, type }) => type === undefined && !isComputed)
  if (bare && options.isQuery) return undefined
  // only SQLite has columns without a type; elsewhere something else was read for a column
  if (bare && script.dialect !== undefined && script.dialect !== 'sqlite') {
    throw unreadable(start, `a table whose columns have types, but ${bare.name} has none`)
  }
  const columns = [...items.columns, ...newColumns(options, items.columns)]
  const copies = [...items.copies, ...options.copies]
  if (columns.length === 0 && copies.length === 0) return undefined
  const table: TableDefinition = {
    name,
    kind: modifiers.isExternal ? 'external' : 'table',
    columns,
    constraints: items.constraints.filter(({ kind }) => !(isLoose && kind === 'primary')),
    comment: options.comment,
  }
  const existing = modifiers.isReplacing ? 'replace' : keeps ? 'keep' : 'refuse'
  return { kind: 'create table', table, existing, copies }
}

/** Snowflake may have its options before the columns, ClickHouse ON CLUSTER and the UUID of the table. */
function skipBeforeColumns(cursor: Cursor): void {
  for (;;) {
    if (cursor.atSymbol('(', 2) && cursor.skip('CLUSTER', 'BY')) cursor.takeGroup()
    else if (cursor.skip('ON', 'CLUSTER') || cursor.skip('UUID')) cursor.next()
    else if (cursor.atSymbol('=', 1)) skipOption(cursor)
    else return
  }
}

function skipOption(cursor: Cursor): void {
  cursor.next()
  cursor.next()
  cursor.next()
}

interface Items {
  readonly columns: readonly ColumnDefinition[]
  readonly constraints: readonly Constraint[]
  readonly copies: readonly QualifiedName[]
}

function readItems(body: Cursor | undefined, script: Script): Items {
  const columns: ColumnDefinition[] = []
  const constraints: Constraint[] = []
  const copies: QualifiedName[] = []
  const isQuery = body?.at('SELECT') || body?.at('WITH')
  for (const item of isQuery ? [] : (body?.splitByComma() ?? [])) {
    if (item.skip('LIKE')) {
      copies.push(readName(item, script))
      continue
    }
    const found = readConstraint(item, script)
    if (!found) {
      const read = readColumn(item, script)
      columns.push(read.column)
      constraints.push(...read.constraints)
    } else constraints.push(...found)
  }
  return { columns, constraints, copies }
}

/** Partition columns stand apart in Hive's form, or are named again in Spark's. */
function newColumns(
  { columns }: TableOptions,
  known: readonly ColumnDefinition[],
): readonly ColumnDefinition[] {
  return columns.filter(
    ({ name }) => !known.some((column) => column.name.toLowerCase() === name.toLowerCase()),
  )
}
