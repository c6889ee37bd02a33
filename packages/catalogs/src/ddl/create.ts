import { type Cursor, type Token, isWord } from '../sql/cursor.ts'
import { isClause } from './column-clauses.ts'
import { readColumnType } from './columns.ts'
import { readCreateTable } from './create-table.ts'
import { readConstraint } from './constraints.ts'
import type { Change, ColumnDefinition, Constraint, TableDefinition } from './definitions.ts'
import { readDescription, readText } from './expressions.ts'
import { readKeyColumns, readName, takeName, unreadable } from './names.ts'
import { readCreatePlace } from './place.ts'
import { readQuery } from './query/read-query.ts'
import { readType } from './read-type.ts'
import { type Script, ddlRulesOf } from './script.ts'

/** Reads a CREATE UNIQUE INDEX, after UNIQUE. Undefined for an index over expressions, or over only some rows. */
function readCreateIndex(cursor: Cursor, script: Script): Change | undefined {
  cursor.skip('CLUSTERED')
  cursor.skip('NONCLUSTERED')
  if (!cursor.skip('INDEX')) return undefined
  cursor.skip('CONCURRENTLY')
  cursor.skip('IF', 'NOT', 'EXISTS')
  let index = cursor.at('ON') ? undefined : takeName(cursor, script)
  while (cursor.skipSymbol('.')) index = takeName(cursor, script)
  if (!cursor.skipTo('ON')) return undefined
  cursor.skip('ON')
  cursor.skip('ONLY')
  const name = readName(cursor, script)
  if (cursor.skip('USING')) cursor.next()
  const group = cursor.takeGroup()
  const columns = group && readKeyColumns(group, script)
  if (!columns || cursor.skipTo('WHERE')) return undefined
  const constraint = { kind: 'unique' as const, columns, name: index, isIndex: true }
  return { kind: 'alter table', name, actions: [{ kind: 'add constraint', constraint }] }
}

/**
 * Reads `CREATE TYPE name AS ENUM (…)` and `CREATE TYPE name FROM type`, from the name on; undefined for every
 * other type.
 */
function readCreateType(cursor: Cursor, script: Script): Change | undefined {
  const name = readName(cursor, script)
  if (cursor.skip('FROM')) return { kind: 'create type', type: { name, ...readBase(cursor, script) } }
  const labels = cursor.skip('AS', 'ENUM') ? cursor.takeGroup()?.splitByComma() : undefined
  if (!labels) return undefined
  const values = labels.flatMap((label) => label.take('text')?.text ?? [])
  return { kind: 'create type', type: { name, values } }
}

/** Reads `CREATE DOMAIN name AS type …`, from the name on. */
function readCreateDomain(cursor: Cursor, script: Script): Change {
  const name = readName(cursor, script)
  cursor.skip('AS')
  return { kind: 'create type', type: { name, ...readBase(cursor, script) } }
}

type Base = Omit<Extract<Change, { readonly kind: 'create type' }>['type'], 'name'>

function readBase(cursor: Cursor, script: Script): Base {
  const { column, constraints } = readColumnType('VALUE', cursor, script)
  const list = constraints.find((constraint) => constraint.kind === 'values')
  return { values: list?.values, type: column.type, isRequired: column.isRequired }
}

/** Reads a CREATE VIEW, from the name on. */
function readCreateView(cursor: Cursor, script: Script, isReplacing: boolean): Change {
  const keeps = cursor.skip('IF', 'NOT', 'EXISTS')
  const name = readName(cursor, script)
  skipBeforeColumns(cursor, script)
  const { columns, constraints } = readViewColumns(
    cursor.atSymbol('(') ? cursor.takeGroup() : undefined,
    script,
  )
  let comment: string | undefined
  while (!cursor.done && !cursor.at('AS')) {
    if (cursor.skip('COMMENT')) comment = readText(cursor)
    else if (cursor.skip('OPTIONS')) comment = readDescription(cursor)
    else if (cursor.takeGroup() === undefined) cursor.next()
  }
  cursor.skip('AS')
  const query = readQuery(cursor, script)
  const table = { name, kind: 'view' as const, columns, constraints, comment }
  return {
    kind: 'create table',
    table,
    existing: isReplacing ? 'replace' : keeps ? 'keep' : 'refuse',
    copies: [],
    query,
  }
}

/**
 * Skips clauses before the columns of a view. Later brackets contain options: `PARTITION BY day OPTIONS
 * (expires = 3)`.
 */
function skipBeforeColumns(cursor: Cursor, script: Script): void {
  for (;;) {
    if (cursor.skip('ON', 'CLUSTER') || cursor.skip('UUID')) cursor.next()
    else if (cursor.skip('TO')) readName(cursor, script)
    else if (!cursor.skip('COPY', 'GRANTS')) return
  }
}

/**
 * Reads the columns of a view: names, with types in ClickHouse and in materialized views of Databricks, and comments
 * elsewhere. Databricks and Oracle may declare keys among them.
 */
function readViewColumns(
  group: Cursor | undefined,
  script: Script,
): Pick<TableDefinition, 'columns' | 'constraints'> {
  const columns: ColumnDefinition[] = []
  const constraints: Constraint[] = []
  for (const part of group?.splitByComma() ?? []) {
    const declared = readConstraint(part, script)
    if (declared) constraints.push(...declared)
    else columns.push(...readViewColumn(part, script))
  }
  return { columns, constraints }
}

function readViewColumn(part: Cursor, script: Script): readonly ColumnDefinition[] {
  const name = takeName(part, script)
  if (name === undefined) return []
  const hasType = ddlRulesOf(script.dialect).viewColumnsHaveTypes
  const type = hasType ? readType(part, script, isClause)?.text : undefined
  const isRequired = hasType && part.at('NOT', 'NULL')
  const comment = readViewComment(part)
  return [{ name, type, ...(isRequired && { isRequired }), ...(comment !== undefined && { comment }) }]
}

/** Reads the comment among the clauses after the name of a view's column: `comment 'text'`, `options (…)`. */
function readViewComment(cursor: Cursor): string | undefined {
  while (!cursor.done) {
    if (cursor.skip('COMMENT')) return readText(cursor)
    if (cursor.skip('OPTIONS')) return readDescription(cursor)
    if (cursor.takeGroup() === undefined) cursor.next()
  }
  return undefined
}

/** A module of SQLite, which interprets the arguments of a virtual table. */
interface Module {
  readonly pattern: RegExp
  /** Returns the type of the column at a position. Default: it has none. */
  readonly typeOf?: (place: number) => string
  /** The endings of the tables that store its data. https://www.sqlite.org/vtab.html#the_xshadowname_method */
  readonly shadows: readonly string[]
}

const MODULES: readonly Module[] = [
  { pattern: /^fts5$/i, shadows: ['config', 'content', 'data', 'docsize', 'idx'] },
  { pattern: /^fts[34]$/i, shadows: ['content', 'docsize', 'segdir', 'segments', 'stat'] },
  {
    pattern: /^rtree$/i,
    typeOf: (place) => (place === 0 ? 'INT' : 'REAL'),
    shadows: ['node', 'parent', 'rowid'],
  },
  { pattern: /^rtree_i32$/i, typeOf: () => 'INT', shadows: ['node', 'parent', 'rowid'] },
]

/**
 * Reads SQLite's CREATE VIRTUAL TABLE from the name on. The arguments are columns and `option=value`.
 * Anything after the name of a column, even a type, has no effect.
 *
 * @throws {UnreadableSql} For a module whose columns are not in the statement.
 */
function readCreateVirtualTable(cursor: Cursor, script: Script): Change {
  const keeps = cursor.skip('IF', 'NOT', 'EXISTS')
  const name = readName(cursor, script)
  cursor.skip('USING')
  const token = cursor.take('word', 'name')
  const used = MODULES.find(({ pattern }) => pattern.test(token?.text ?? ''))
  const columns = used && (cursor.takeGroup()?.splitByComma() ?? []).flatMap(readColumn(used, script))
  if (!used || !columns || columns.length === 0)
    throw unreadable(token, `the columns of ${name.name}, which the statement does not list`)
  const shadows = used.shadows.map((ending) => `${name.name}_${ending}`)
  const table = { name, kind: 'table' as const, columns, constraints: [], comment: undefined, shadows }
  return { kind: 'create table', table, existing: keeps ? 'keep' : 'refuse', copies: [] }
}

/** Creates a reader of columns. In an R-tree, columns that are not coordinates begin with a plus. */
function readColumn(
  { typeOf }: Module,
  script: Script,
): (part: Cursor, place: number) => readonly ColumnDefinition[] {
  return (part, place) => {
    if (part.atSymbol('=', 1)) return []
    const isOther = part.skipSymbol('+')
    const name = takeName(part, script)
    return name === undefined ? [] : [{ name, type: isOther ? undefined : typeOf?.(place) }]
  }
}

const EXTERNAL = ['EXTERNAL', 'FOREIGN']
/** Temporary tables. */
const PASSING = ['TEMP', 'TEMPORARY', 'VOLATILE']
const OTHER_MODIFIERS = [
  'ALGORITHM',
  'BLOCKCHAIN',
  'CACHED', // of HSQLDB and H2, as MEMORY
  'COLUMN',
  'DEFINER',
  'DUPLICATED',
  'DYNAMIC',
  'EDITIONABLE',
  'EVENT', // of Snowflake
  'FORCE',
  'GLOBAL',
  'HYBRID',
  'ICEBERG',
  'IMMUTABLE',
  'INTERACTIVE',
  'LIVE',
  'LOCAL',
  'MANAGED', // of Hive
  'MATERIALIZED',
  'MEMORY',
  'MULTISET', // of Teradata, as SET
  'NO',
  'NONEDITIONABLE',
  'PRIVATE',
  'RECURSIVE',
  'SECURE',
  'SECURITY',
  'SET',
  'SHARDED',
  'SNAPSHOT',
  'SQL',
  'STREAMING',
  'TRANSACTIONAL', // of Hive
  'TRANSIENT',
  'UNLOGGED',
  'VIRTUAL',
]

/**
 * Reads a CREATE statement, after CREATE.
 *
 * @throws {UnreadableSql} For a table that is not understood.
 */
export function readCreate(cursor: Cursor, script: Script): Change | undefined {
  const isReplacing = cursor.skip('OR', 'REPLACE') || cursor.skip('OR', 'ALTER')
  cursor.skip('OR', 'REFRESH')
  if (cursor.skip('TYPE')) return readCreateType(cursor, script)
  if (cursor.skip('DOMAIN')) return readCreateDomain(cursor, script)
  if (cursor.skip('UNIQUE')) return readCreateIndex(cursor, script)
  if (cursor.at('DATABASE') || cursor.at('SCHEMA')) return readCreatePlace(cursor, script)
  // of ClickHouse, which is queried like a table
  if (cursor.skip('DICTIONARY')) return readCreateTable(cursor, script, { isExternal: false, isReplacing })
  const modifiers: string[] = []
  while (!cursor.at('TABLE') && !cursor.at('VIEW')) {
    const word = cursor.take('word')
    if (!isWord(word, ...EXTERNAL, ...PASSING, ...OTHER_MODIFIERS)) {
      if (isNearTable(cursor) || listsColumns(word, cursor))
        throw unreadable(word ?? cursor.peek(), 'a known kind of table')
      return undefined
    }
    modifiers.push(word?.text.toUpperCase() ?? '')
    skipModifierValue(cursor, word?.text)
  }
  const isTemporary = modifiers.some((modifier) => PASSING.includes(modifier))
  if (cursor.skip('VIEW')) {
    const isLog = cursor.at('LOG', 'ON') // of a materialized view of Oracle
    return isTemporary || isLog ? undefined : readCreateView(cursor, script, isReplacing)
  }
  cursor.skip('TABLE')
  if (modifiers.includes('VIRTUAL')) return readCreateVirtualTable(cursor, script)
  const isFunction = cursor.at('FUNCTION') && cursor.peek(1)?.kind !== 'symbol' // BigQuery's table functions
  if (isFunction || isTemporary) return undefined
  const isExternal = modifiers.some((word) => EXTERNAL.includes(word))
  return readCreateTable(cursor, script, { isExternal, isReplacing })
}

/** Returns true if TABLE is among the next words, so the words before it name its kind. */
function isNearTable(cursor: Cursor): boolean {
  for (let ahead = 0; ahead < 7; ahead++) {
    const token = cursor.peek(ahead)
    if (isWord(token, 'TABLE')) return true
    // CREATE PUBLICATION all FOR TABLE a, CREATE STREAM b ON TABLE a
    if (!token || isWord(token, 'AS', 'FOR', 'FROM', 'IN', 'OF', 'ON', 'TO')) return false
  }
  return false
}

/** Kinds of objects other than tables that may have a list of names and types, or of options, in brackets. */
const OTHER_KINDS =
  'ACCESS AGGREGATE APPLICATION ASSERTION ASSIGNMENT BITMAP CAPACITY CAST CATALOG CLUSTERED COLLATION CONNECTION CONSTRAINT CONTEXT CONVERSION CORTEX CREDENTIAL DEFAULT EVENT EXTENSION FILE FULLTEXT FUNCTION HASH INDEX INTEGRATION LANGUAGE LIBRARY LOGIN MACRO MASKING MODEL NAMED NETWORK NONCLUSTERED NOTEBOOK OPERATOR PACKAGE PARTITION PIPE POLICY PRIMARY PROC PROCEDURE PROFILE PROJECTION PUBLICATION QUOTA RECIPIENT RESERVATION RESOURCE ROLE ROUTINE ROW RULE SEARCH SECRET SEMANTIC SEQUENCE SERVER SERVICE SETTINGS SHARE SPATIAL STAGE STATISTICS STREAM STREAMLIT SUBSCRIPTION SYNONYM TABLESPACE TAG TASK TEXT TRANSFORM TRIGGER USER VARIABLE VECTOR VOLUME WAREHOUSE WORKLOAD XML'.split(
    ' ',
  )

/** Returns true for `CREATE x (a int, b text)`, which most likely means a table. */
function listsColumns(word: Token | undefined, cursor: Cursor): boolean {
  if (isWord(word, ...OTHER_KINDS)) return false
  const rest = cursor.copy()
  while (!rest.done && !rest.atSymbol('(')) {
    if (rest.peek()?.kind === 'symbol' && !rest.atSymbol('.')) return false
    if (isWord(rest.peek(), 'AS', 'FOR', 'ON', 'OPTIONS', 'RETURNS', 'TO', 'USING', 'WITH')) return false
    rest.next()
  }
  const items = rest.takeGroup()?.splitByComma() ?? []
  const isName = (token: Token | undefined): boolean => token?.kind === 'word' || token?.kind === 'name'
  return items.length > 0 && items.every((item) => isName(item.peek()) && item.peek(1)?.kind === 'word')
}

/**
 * Skips the value of a modifier in MySQL: `ALGORITHM=MERGE DEFINER=\`root\`@\`localhost\` SQL SECURITY
 * DEFINER`.
 */
function skipModifierValue(cursor: Cursor, modifier = ''): void {
  if (cursor.skipSymbol('=')) {
    cursor.next()
    const isHost = cursor.peek()?.text.startsWith('@') === true
    if (isHost && cursor.next()?.text === '@') cursor.next()
    cursor.takeGroup() // CURRENT_USER()
  } else if (/^security$/i.test(modifier)) cursor.next()
}
