import { type Cursor, type Token, isWord } from '../sql/cursor.ts'
import { readColumn } from './columns.ts'
import { readConstraint } from './constraints.ts'
import type {
  Change,
  ColumnDefinition,
  Constraint,
  QualifiedName,
  Query,
  TableDefinition,
} from './definitions.ts'
import { readDescription, readText } from './expressions.ts'
import { readName, unreadable } from './names.ts'
import { readQuery } from './query/read-query.ts'
import { type Script, ddlRulesOf, skipUnreadable } from './script.ts'

/** The options after the columns of a CREATE TABLE. */
interface TableOptions {
  readonly comment: string | undefined
  /** Columns to partition by that have types of their own. */
  readonly columns: readonly ColumnDefinition[]
  /** Tables whose columns are taken over: LIKE, CLONE, INHERITS. */
  readonly copies: readonly QualifiedName[]
  /** PostgreSQL: the checks of the columns are copied too. */
  readonly inherits?: boolean
  /** It is filled from a query, which may name the columns too. */
  readonly query: Query | undefined
  readonly hasLoosePrimaryKey: boolean
  /** SQLite: the primary key keeps null out, which it does not elsewhere. */
  readonly hasRequiredKey?: boolean
}

type Read = (cursor: Cursor, script: Script) => Partial<TableOptions>

const columns: Read = (cursor, script) => ({ columns: readPartitionColumns(cursor.takeGroup(), script) })
const copy: Read = (cursor, script) => ({ copies: [readName(cursor, script)] })

/** The options that matter; all others are skipped, their brackets with them. */
const OPTIONS: readonly (readonly [words: string, read: Read])[] = [
  ['COMMENT', (cursor) => ({ comment: readText(cursor) })],
  ['OPTIONS', (cursor) => ({ comment: readDescription(cursor) })],
  ['PARTITIONED BY', columns],
  ['WITH PARTITION COLUMNS', columns],
  ['LIKE', copy],
  ['CLONE AS', copy],
  ['CLONE', copy],
  ['COPY', copy],
  ['SHALLOW CLONE', copy],
  ['DEEP CLONE', copy],
  ['INHERITS', (cursor, script) => ({ copies: readTables(cursor.takeGroup(), script), inherits: true })],
  ['WITHOUT ROWID', () => ({ hasRequiredKey: true })],
  ['STRICT', () => ({ hasRequiredKey: true })],
  ['ENGINE', (cursor) => ({ hasLoosePrimaryKey: isMergeTree(cursor) })],
]

/** Reads the rest of a CREATE TABLE. */
function readTableOptions(cursor: Cursor, script: Script): TableOptions {
  const found = { comment: undefined, columns: [], copies: [], query: undefined, hasLoosePrimaryKey: false }
  while (!cursor.done) {
    const option = OPTIONS.find(([words]) => cursor.at(...words.split(' ')))
    const isBehindAs = cursor.skip('AS')
    const isQuery = isBehindAs && (cursor.atSymbol('(') || atQuery(cursor))
    if (isQuery || atQuery(cursor)) return { ...found, query: readQuery(cursor, script) }
    if (isBehindAs && isTableNext(cursor, script)) Object.assign(found, copy(cursor, script))
    else if (cursor.skip('COPY', 'GRANTS')) continue
    else if (option) {
      const [words, read] = option
      cursor.skip(...words.split(' '))
      Object.assign(
        found,
        skipUnreadable(script, () => read(cursor, script)),
      )
    } else if (!skipGroup(cursor, script)) {
      cursor.next()
    }
  }
  return found
}

/** ClickHouse: `AS other_table` has its columns, `AS numbers(9)` those of a function. */
function isTableNext(cursor: Cursor, { dialect }: Script): boolean {
  const isName = cursor.peek()?.kind === 'name' || cursor.peek()?.kind === 'word'
  const ahead = cursor.copy()
  while (ahead.next() && ahead.skipSymbol('.')) continue
  return ddlRulesOf(dialect).copiesByAs && isName && !ahead.atSymbol('(')
}

/** MySQL's query needs no AS. */
function atQuery(cursor: Cursor): boolean {
  return cursor.at('SELECT') || (cursor.at('WITH') && isWord(cursor.peek(2), 'AS'))
}

function skipGroup(cursor: Cursor, script: Script): boolean {
  return skipUnreadable(script, () => cursor.takeGroup()) !== undefined
}

function readTables(group: Cursor | undefined, script: Script): readonly QualifiedName[] {
  return (group?.splitByComma() ?? []).map((name) => readName(name, script))
}

/** A name alone, and a function of a column (Iceberg's `day(at)`), partition by columns that are known already. */
function readPartitionColumns(group: Cursor | undefined, script: Script): readonly ColumnDefinition[] {
  const parts = (group?.splitByComma() ?? []).filter((part) => part.peek(1) && !part.atSymbol('(', 1))
  return parts.map((part) => readColumn(part, script).column)
}

/** ClickHouse's MergeTree engines sort by the primary key and do not keep it unique. */
function isMergeTree(cursor: Cursor): boolean {
  cursor.skipSymbol('=')
  return /MergeTree$/i.test(cursor.peek()?.text ?? '')
}

/** The words between CREATE and TABLE. */
interface CreateModifiers {
  readonly isExternal: boolean
  readonly isReplacing: boolean
}

/**
 * The words after the name of a table without a list of columns: for a query, another table, or a location.
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
 * Reads a CREATE TABLE from the name on. Undefined for a partition of another table, and for one that is gone with its
 * session.
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
  const isPassing = ddlRulesOf(script.dialect).passingNames?.test(name.name) ?? false
  if (isPassing || cursor.at('PARTITION', 'OF')) return undefined
  skipBeforeColumns(cursor)
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
  const columns = withKey([...known, ...newColumns(options, known)], items.constraints, options)
  const copies = [...items.copies, ...options.copies]
  if (columns.length === 0 && copies.length === 0 && !query) {
    throw unreadable(next, `the columns of ${name.name}, which the statement does not tell`)
  }
  const table: TableDefinition = {
    name,
    kind: modifiers.isExternal ? 'external' : 'table',
    columns,
    constraints: items.constraints.filter(({ kind }) => !(isLoose && kind === 'primary')),
    comment: options.comment,
  }
  const existing = modifiers.isReplacing ? 'replace' : keeps ? 'keep' : 'refuse'
  const { inherits } = options
  return {
    kind: 'create table',
    table,
    existing,
    copies,
    ...(inherits && { inherits }),
    ...(query && { query }),
  }
}

function isQueryNext(body: Cursor | undefined): boolean {
  return body?.at('SELECT') === true || body?.at('WITH') === true
}

/** Only SQLite has columns without a type; elsewhere something else was read for a column. */
function isColumn(column: ColumnDefinition, table: Token | undefined, script: Script): boolean {
  const { access, default: value, isComputed, name, type } = column
  const mayBeBare = !ddlRulesOf(script.dialect).columnsNeedType
  if (type !== undefined || isComputed || access !== undefined || value !== undefined || mayBeBare)
    return true
  skipUnreadable(script, () => {
    throw unreadable(table, `a table whose columns have types, but ${name} has none`)
  })
  return false
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
  const items = (body?.splitByComma() ?? []).map((item) =>
    skipUnreadable(script, () => readItem(item, script)),
  )
  const known = items.filter((item) => item !== undefined)
  return {
    columns: known.flatMap(({ columns }) => columns),
    constraints: known.flatMap(({ constraints }) => constraints),
    copies: known.flatMap(({ copies }) => copies),
  }
}

function readItem(item: Cursor, script: Script): Items {
  if (item.skip('LIKE')) return { columns: [], constraints: [], copies: [readName(item, script)] }
  const constraints = readConstraint(item, script)
  if (constraints) return { columns: [], constraints, copies: [] }
  const read = readColumn(item, script)
  return { columns: [read.column], constraints: read.constraints, copies: [] }
}

/** The columns, those of the primary key required where an option says so. */
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

/** Partition columns stand apart in Hive's form, or are named again in Spark's. */
function newColumns(
  { columns }: TableOptions,
  known: readonly ColumnDefinition[],
): readonly ColumnDefinition[] {
  return columns.filter(
    ({ name }) => !known.some((column) => column.name.toLowerCase() === name.toLowerCase()),
  )
}
