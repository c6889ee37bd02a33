import type { DialectName } from '@stagecraft/spec'
import { Cursor, isSymbol, isWord, unlessUnreadable } from '../sql/cursor.ts'
import { readJsonCheckAt, readValueListAt } from '../sql/value-list.ts'
import type { Constraint, Rule } from './definitions.ts'
import { isTypeKnown } from './read-type.ts'
import { readKeyColumns, readReference, takeName, unreadable } from './names.ts'
import { type Script, ddlRulesOf } from './script.ts'

/** Reads the condition after CHECK. A condition that is not enforced is ignored. */
export function readCheck(cursor: Cursor): Rule | undefined {
  const condition = cursor.takeGroup()
  if (!condition) return undefined
  const isLoose = cursor.at('NOT', 'ENFORCED') || cursor.at('NOT', 'VALID')
  return readCondition(condition, { isLoose })
}

function readCondition(condition: Cursor, { isLoose }: { readonly isLoose: boolean }): Rule {
  const words = condition
    .rest()
    .flatMap(({ kind, text }) => (kind === 'word' || kind === 'name' ? [text] : []))
  if (isLoose) return { kind: 'condition', words }
  const json = readJsonCheckAt(condition.copy())
  if (json) return { kind: 'json', column: json }
  const list = unlessUnreadable(() => readValueListAt(condition))
  return list ? { kind: 'values', ...list } : { kind: 'condition', words }
}

/** Words that continue a condition after its first part in brackets. */
const CONTINUES_CONDITION = ['AND', 'BETWEEN', 'GLOBAL', 'ILIKE', 'IN', 'IS', 'LIKE', 'OR']

/** Reads the condition of `CONSTRAINT name CHECK condition` of ClickHouse, which needs no brackets. */
function readBareCheck(cursor: Cursor): Rule | undefined {
  if (!cursor.at('CHECK')) return undefined
  const ahead = cursor.copy()
  ahead.next()
  const isWhole = ahead.takeGroup() !== undefined && ahead.peek()?.kind !== 'symbol'
  if (isWhole && !isWord(ahead.peek(), ...CONTINUES_CONDITION)) return undefined
  cursor.next()
  return readCondition(new Cursor(cursor.rest()), { isLoose: false })
}

/** Beginnings of items in a table's brackets that are neither columns nor constraints on columns. */
const OTHER_ITEMS = [
  'ENCODE AUTO',
  'EXCLUDE USING',
  'FULLTEXT INDEX',
  'FULLTEXT KEY',
  'FULLTEXT USING',
  'INVERTED INDEX',
  'PERIOD FOR',
  'ROW DELETION POLICY',
  'SHARD KEY',
  'SORT KEY',
  'SPATIAL INDEX',
  'SPATIAL KEY',
  'SUPPLEMENTAL LOG',
  'VECTOR INDEX',
  'VECTOR KEY',
].map((words) => words.split(' '))

/** Words of such items that a list in brackets follows. No column has brackets right after its name. */
const OTHER_LISTS = ['DISTKEY', 'EXCLUDE', 'FULLTEXT', 'SORTKEY', 'SPATIAL', 'SYNONYM']

/**
 * Reads a constraint on the table, with its clauses; undefined if a column comes next. Indexes, and keys over
 * expressions, give an empty list.
 *
 * @throws {UnreadableSql} For a constraint that is not understood.
 */
export function readConstraint(cursor: Cursor, script: Script): readonly Constraint[] | undefined {
  const isList = isWord(cursor.peek(), ...OTHER_LISTS) && cursor.atSymbol('(', 1)
  const isOther = isList || OTHER_ITEMS.some((words) => cursor.at(...words))
  if (isOther) return []
  if (isColumnOfRuleName(cursor)) return undefined
  if (isIndex(cursor, script)) return readUniqueIndex(cursor, script)
  const isNamed = cursor.skip('CONSTRAINT')
  const name = isNamed && !startsRule(cursor) ? takeName(cursor, script) : undefined
  const bare = isNamed ? readBareCheck(cursor) : undefined
  if (bare) return [{ ...bare, name }]
  if (!startsRule(cursor)) return isNamed ? [] : undefined // CONSTRAINT name ASSUME … of ClickHouse
  const behind = cursor.copy()
  const rule = readRule(cursor, script)
  return rule ? [{ ...rule, name: name ?? nameAfter(behind, rule, script) }] : []
}

/**
 * Returns true for a column such as `unique STRING` or `constraint STRING NOT NULL`, which BigQuery, Databricks and
 * ClickHouse allow: a type follows, without a list of columns.
 */
function isColumnOfRuleName(cursor: Cursor): boolean {
  if (!cursor.at('UNIQUE') && !cursor.at('CONSTRAINT')) return false
  const [type, next, inside] = [cursor.peek(1), cursor.peek(2), cursor.peek(3)]
  if (type?.kind !== 'word') return false
  if (isWord(type, ...NESTED_TYPES)) return isSymbol(next, '<') || isSymbol(next, '(')
  if (!isTypeKnown(type.text)) return false
  if (isSymbol(next, '(')) return inside?.kind === 'number'
  return next === undefined || isWord(next, 'COMMENT', 'DEFAULT', 'NOT', 'NULL', 'OPTIONS', 'CODEC')
}

/** Reads the name in `UNIQUE KEY name (columns)` and `FOREIGN KEY name (columns)` of MySQL. */
function nameAfter(cursor: Cursor, { kind }: Rule, script: Script): string | undefined {
  if (kind !== 'unique' && kind !== 'foreign') return undefined
  cursor.next()
  if (cursor.at('KEY') || cursor.at('INDEX')) cursor.next()
  const isName = !isWord(cursor.peek(), 'CLUSTERED', 'NONCLUSTERED', 'USING', 'NULLS')
  return isName && !cursor.atSymbol('(') ? takeName(cursor, script) : undefined
}

/** Reads `INDEX name UNIQUE (columns)` of SQL Server. All other indexes are ignored. */
function readUniqueIndex(cursor: Cursor, script: Script): readonly Constraint[] {
  if (!cursor.skip('INDEX')) return []
  const name = takeName(cursor, script)
  if (!cursor.skip('UNIQUE')) return []
  while (!cursor.done && !cursor.atSymbol('(')) cursor.next()
  const group = cursor.takeGroup()
  const columns = group && !cursor.skipTo('WHERE') ? readKeyColumns(group, script) : undefined
  return columns ? [{ kind: 'unique', columns, name, isIndex: true }] : []
}

function startsRule(cursor: Cursor): boolean {
  const isKey = cursor.at('PRIMARY', 'KEY') || cursor.at('FOREIGN', 'KEY') || cursor.at('UNIQUE')
  return isKey || (cursor.at('CHECK') && cursor.atSymbol('(', 1)) // ClickHouse has columns of that name
}

function readRule(cursor: Cursor, script: Script): Rule | undefined {
  if (cursor.skip('CHECK')) return readCheck(cursor)
  if (cursor.skip('FOREIGN', 'KEY')) return readForeignKey(cursor, script)
  const kind = cursor.skip('PRIMARY', 'KEY') ? 'primary' : 'unique'
  const behind = cursor.peek()
  while (!cursor.atSymbol('(') && takeName(cursor, script) !== undefined) continue // KEY name USING BTREE, CLUSTERED
  const group = cursor.takeGroup()
  // PRIMARY KEY id of ClickHouse, PRIMARY KEY USING INDEX name of PostgreSQL
  if (!group && behind && cursor.done) return undefined
  if (!group) throw unreadable(cursor.peek(), 'the columns of the key in brackets')
  const columns = readKeyColumns(group, script)
  // CockroachDB: UNIQUE INDEX name (columns) WHERE …
  return cursor.skipTo('WHERE') ? undefined : columns && { kind, columns }
}

function readForeignKey(cursor: Cursor, script: Script): Rule | undefined {
  if (!cursor.atSymbol('(')) takeName(cursor, script) // FOREIGN KEY name (columns) of MySQL
  const group = cursor.takeGroup()
  const columns = group && readKeyColumns(group, script)
  if (!columns || !cursor.skip('REFERENCES'))
    throw unreadable(cursor.peek(), 'columns in brackets and REFERENCES')
  const references = readReference(cursor, script)
  return cursor.skipTo('NOT', 'VALID') ? undefined : { kind: 'foreign', columns, references }
}

/** Types with names in their brackets, so `key Nullable(String)` is a column. */
const NESTED_TYPES = [
  'ARRAY',
  'LIST',
  'LOWCARDINALITY',
  'MAP',
  'NESTED',
  'NULLABLE',
  'OBJECT',
  'ROW',
  'STRUCT',
  'TUPLE',
  'UNION',
  'VARIANT',
]

/**
 * Returns true for an index: `KEY name (columns)` of MySQL, `INDEX name (columns)` of SQL Server and of
 * Snowflake's hybrid tables, `INDEX name (columns)` and `FAMILY name (columns)` of CockroachDB,
 * `INDEX name column TYPE …` and `PROJECTION name (SELECT …)` of ClickHouse.
 * Elsewhere these words may be columns. Then a type follows, with numbers in its brackets.
 */
function isIndex(cursor: Cursor, { dialect }: Script): boolean {
  if (isClickHouseIndex(cursor, dialect)) return true
  const { inlineIndexes, inlineKeys } = ddlRulesOf(dialect)
  const isOfCockroach = cursor.at('INDEX') || cursor.at('FAMILY')
  const isUsual = (inlineKeys && cursor.at('KEY')) || (inlineIndexes && cursor.at('INDEX'))
  if (!isUsual && !isOfCockroach) return false
  const ahead = cursor.copy()
  ahead.next()
  const name = ahead.atSymbol('(') ? undefined : ahead.take('word', 'name')
  if (isWord(name, ...NESTED_TYPES)) return false
  if (!isUsual && (!ahead.atSymbol('(') || (name && isTypeKnown(name.text)))) return false
  const isOfSqlServer = isWord(ahead.peek(), 'CLUSTERED', 'COLUMNSTORE', 'HASH', 'NONCLUSTERED', 'UNIQUE')
  if (isOfSqlServer) return true
  while (!ahead.done && !ahead.atSymbol('(')) ahead.next() // USING BTREE, CLUSTERED
  const group = ahead.takeGroup()
  const isColumn = group?.peek()?.kind === 'name' || (group?.peek()?.kind === 'word' && !group.at('MAX'))
  return isColumn || group?.atSymbol('(') === true
}

function isClickHouseIndex(cursor: Cursor, dialect: DialectName | undefined): boolean {
  if (!cursor.at('INDEX') && !cursor.at('PROJECTION')) return false
  const isProjection = cursor.atSymbol('(', 2) && isWord(cursor.peek(3), 'SELECT', 'WITH')
  const isSkipping = cursor.copy().skipTo('GRANULARITY')
  return ddlRulesOf(dialect).skippingIndexes || (dialect === undefined && (isProjection || isSkipping))
}
