import type { TableStorage } from '@stagecraft/spec'
import { type Cursor, type Token, isWord } from '../sql/cursor.ts'
import { mayBeColumn, readColumn } from './columns.ts'
import { readConstraint } from './constraints.ts'
import { readCopy } from './copy.ts'
import type { Change, ColumnDefinition, Constraint, Copy, TableDefinition } from './definitions.ts'
import { isTypeKnown } from './read-type.ts'
import { readName, unreadable } from './names.ts'
import { readQuery } from './query/read-query.ts'
import { type Script, ddlRulesOf, skipUnreadable } from './script.ts'
import { readStorageList } from './storage.ts'
import { readTableOptions, type TableOptions } from './table-options.ts'

/** The words between CREATE and TABLE. */
interface CreateModifiers {
  readonly isExternal: boolean
  readonly isReplacing: boolean
}

/**
 * Words that may follow the name of a table without a list of columns: for a query, another table, or a
 * location.
 */
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
  'NOLOGGING',
  'OPTIONS',
  'PARALLEL',
  'PARTITION',
  'PARTITIONED',
  'ROW',
  'SHALLOW',
  'SORTKEY',
  'STORED',
  'TABLESPACE',
  'TAG',
  'TBLPROPERTIES',
  'USING',
  'WITH',
]

/**
 * Reads a CREATE TABLE from the name on. Undefined for a partition of another table, and for a temporary
 * table.
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
  const { passingNames, passingSchemas } = ddlRulesOf(script.dialect)
  const isTemporary = passingNames?.test(name.name) || passingSchemas?.test(name.schema ?? '')
  if (isTemporary || cursor.at('PARTITION', 'OF')) return undefined
  const before = readBeforeColumns(cursor, script)
  const next = cursor.peek()
  if (next && !cursor.atSymbol('(') && !isWord(next, ...WITHOUT_COLUMNS)) {
    throw unreadable(next, `the columns of ${name.name} in brackets`)
  }
  const body = cursor.takeGroup()
  const isQuery = isQueryNext(body)
  const items = readItems(isQuery ? undefined : body, script)
  const options = readTableOptions(cursor, script)
  const query = isQuery && body ? readQuery(body, script) : options.query
  const isLoose = options.hasLoosePrimaryKey || ddlRulesOf(script.dialect).primaryKey === 'neither'
  const known = query ? items.columns : items.columns.filter((column) => isColumn(column, start, script))
  const own = modifiers.isExternal ? ddlRulesOf(script.dialect).externalColumn : undefined
  const first = own && !known.some((column) => column.name === own.name) ? [own] : []
  const columns = withKey([...first, ...known, ...newColumns(options, known)], items.constraints, options)
  const copies = [...items.copies, ...options.copies]
  if (columns.length === 0 && copies.length === 0 && !query) {
    throw unreadable(next, `the columns of ${name.name}, which the statement does not list`)
  }
  const table: TableDefinition = {
    name,
    kind: modifiers.isExternal ? 'external' : 'table',
    columns,
    constraints: items.constraints.filter(({ kind }) => !(isLoose && kind === 'primary')),
    comment: options.comment,
    storage: { ...before, ...options.storage },
  }
  const existing = modifiers.isReplacing ? 'replace' : keeps ? 'keep' : 'refuse'
  return { kind: 'create table', table, existing, copies, ...(query && { query }) }
}

function isQueryNext(body: Cursor | undefined): boolean {
  return body?.at('SELECT') === true || body?.at('WITH') === true
}

function isColumn(column: ColumnDefinition, table: Token | undefined, script: Script): boolean {
  if (mayBeColumn(column, script)) return true
  skipUnreadable(script, () => {
    throw unreadable(table, `a table whose columns have types, but ${column.name} has none`)
  })
  return false
}

/** Reads clauses before the columns: options of Snowflake and Teradata; ON CLUSTER and the UUID of the table in ClickHouse. */
function readBeforeColumns(cursor: Cursor, script: Script): TableStorage {
  const lists: { clusteredBy?: readonly string[] } = {}
  for (;;) {
    const isClustered =
      cursor.atSymbol('(', 2) || (cursor.at('CLUSTER', 'BY', 'LINEAR') && cursor.atSymbol('(', 3))
    if (isClustered && cursor.skip('CLUSTER', 'BY')) lists.clusteredBy = readStorageList(cursor, script)
    else if (cursor.skip('ON', 'CLUSTER') || cursor.skip('UUID')) cursor.next()
    else if (cursor.atSymbol('=', 1)) skipOption(cursor)
    else if (cursor.skipSymbol(',')) skipListedOption(cursor)
    else return lists
  }
}

/** Teradata: `, NO FALLBACK, CHECKSUM = DEFAULT (id INTEGER)`. */
function skipListedOption(cursor: Cursor): void {
  while (!cursor.done && !cursor.atSymbol(',') && !cursor.atSymbol('(')) cursor.next()
}

function skipOption(cursor: Cursor): void {
  cursor.next()
  cursor.next()
  cursor.next()
}

interface Items {
  readonly columns: readonly ColumnDefinition[]
  readonly constraints: readonly Constraint[]
  readonly copies: readonly Copy[]
}

function readItems(body: Cursor | undefined, script: Script): Items {
  const items = (body?.splitByComma() ?? []).map((item) =>
    skipUnreadable(script, () => readItem(item, script)),
  )
  const known = items.filter((item) => item !== undefined)
  const columns = known.flatMap((one) => one.columns)
  const names = new Set(columns.map(({ name }) => name.toLowerCase()))
  return {
    columns: columns.filter((column) => !isListOfColumns(column, { body, names, script })),
    constraints: known.flatMap(({ constraints }) => constraints),
    copies: known.flatMap(({ copies }) => copies),
  }
}

interface ListPlace {
  readonly body: Cursor | undefined
  /** The names of all columns in lower case. */
  readonly names: ReadonlySet<string>
  readonly script: Script
}

/**
 * Returns true for a clause that reads like a column with a type: `STATISTICS s (id)`, `FAMILY f (id, name)`. The
 * brackets of a type hold no columns.
 */
function isListOfColumns({ name, type = '' }: ColumnDefinition, { body, names, script }: ListPlace): boolean {
  const inside = /^(?:\w+|"[^"]*"|`[^`]*`) ?\(([\w\s,"`]+)\)$/.exec(type)?.[1]
  const listed = inside?.split(',').map((one) => one.trim().replaceAll(/["`]/g, '').toLowerCase()) ?? []
  if (listed.length === 0 || isTypeKnown(type) || !listed.every((one) => names.has(one))) return false
  skipUnreadable(script, () => {
    throw unreadable(body?.copy().peek(), `a column, a key or an index, not ${name} with a list of columns`)
  })
  return true
}

function readItem(item: Cursor, script: Script): Items {
  if (item.skip('LIKE')) return { columns: [], constraints: [], copies: [readCopy(item, script)] }
  const constraints = readConstraint(item, script)
  if (constraints) return { columns: [], constraints, copies: [] }
  const read = readColumn(item, script)
  return { columns: [read.column], constraints: read.constraints, copies: [] }
}

/** Returns the columns, with those of the primary key required if an option says so. */
function withKey(
  columns: readonly ColumnDefinition[],
  constraints: readonly Constraint[],
  { hasRequiredKey }: TableOptions,
): readonly ColumnDefinition[] {
  const key = constraints.find(({ kind }) => kind === 'primary')
  if (!hasRequiredKey || key?.kind !== 'primary') return columns
  const names = new Set(key.columns.map((name) => name.toLowerCase()))
  return columns.map((column) =>
    names.has(column.name.toLowerCase()) ? { ...column, isRequired: true } : column,
  )
}

/**
 * Returns partition columns that are not listed yet. They are separate in Hive's form, and repeat columns in
 * Spark's.
 */
function newColumns(
  { columns }: TableOptions,
  known: readonly ColumnDefinition[],
): readonly ColumnDefinition[] {
  return columns.filter(
    ({ name }) => !known.some((column) => column.name.toLowerCase() === name.toLowerCase()),
  )
}
