import type { Cursor } from '../sql/cursor.ts'
import { readCheck } from './constraints.ts'
import { type Script, ddlRulesOf, skipUnreadable } from './script.ts'
import type { ColumnDefinition, Constraint, Reference, Rule } from './definitions.ts'
import { readDescription, readExpression, readText } from './expressions.ts'
import { readKeyColumns, readReference, takeName, unreadable } from './names.ts'
import { readCast } from './read-cast.ts'
import { skipSequenceOptions } from './sequence-options.ts'
import { skipToClause } from './skip-to-clause.ts'

/** The facts that one clause states about its column. */
interface Facts extends Pick<
  ColumnDefinition,
  'isRequired' | 'isComputed' | 'comment' | 'default' | 'access' | 'storageKey'
> {
  readonly key?: 'primary' | 'unique'
  /** The columns of a key that follow it: SQL Server needs no comma before a table constraint. */
  readonly keyColumns?: readonly string[] | undefined
  readonly references?: Reference
  readonly check?: Rule | undefined
  /** The type that the expression of a computed column is cast to. */
  readonly computedType?: string | undefined
  /** The name of the next constraint. */
  readonly constraintName?: string | undefined
  /** The column that ALTER TABLE puts this one after; empty for the first position. */
  readonly after?: string | undefined
}

type Read = (cursor: Cursor, script: Script) => Facts

interface Clause {
  /** Its first words, in upper case. */
  readonly words: string
  /** Reads the tokens after the words. Default: nothing follows. */
  readonly read?: Read
}

/** The clauses after the type of a column. */
export interface ColumnTail extends Omit<
  Facts,
  'key' | 'keyColumns' | 'references' | 'check' | 'constraintName'
> {
  readonly constraints: readonly Constraint[]
}

const group: Read = (cursor) => {
  cursor.takeGroup()
  return {}
}
const oneToken: Read = (cursor) => {
  cursor.skipSymbol('-')
  cursor.next()
  return {}
}
const expression: Read = (cursor, script) => {
  readExpression(cursor, script, isClause)
  return {}
}
const name: Read = (cursor, script) => {
  takeName(cursor, script)
  while (cursor.skipSymbol('.')) takeName(cursor, script)
  cursor.takeGroup()
  return {}
}
const collation: Read = (cursor) => {
  cursor.take('word', 'name', 'text')
  while (cursor.skipSymbol('.')) cursor.take('word', 'name')
  return {}
}
/** Skips BINARY, which MySQL allows here, and which is a type elsewhere. */
const binary: Read = (cursor) => {
  cursor.skip('BINARY')
  return {}
}
const charset: Read = (cursor, script) => {
  cursor.next()
  return binary(cursor, script)
}
/** Reads the name of a constraint. MySQL allows none: `CONSTRAINT CHECK (…)`. */
const constraintName: Read = (cursor, script) => ({
  constraintName: isClause(cursor) ? undefined : takeName(cursor, script),
})
const key =
  (kind: 'primary' | 'unique'): Read =>
  (cursor, script) => {
    if (!cursor.skip('CLUSTERED')) cursor.skip('NONCLUSTERED')
    const group = cursor.takeGroup()
    if (!group) return { key: kind }
    const keyColumns = readKeyColumns(group, script)
    return keyColumns ? { key: kind, keyColumns } : {}
  }
const tableForeignKey: Read = (cursor, script) => {
  const group = cursor.takeGroup()
  cursor.skip('REFERENCES')
  return { ...foreignKey(cursor, script), keyColumns: group && readKeyColumns(group, script) }
}
const foreignKey: Read = (cursor, script) => ({ references: readReference(cursor, script) })
const identity: Read = (cursor) => {
  cursor.takeGroup()
  skipSequenceOptions(cursor)
  return { isRequired: true }
}
/** Reads IDENTITY. In Snowflake, it is a synonym of AUTOINCREMENT, which allows null. */
const ownIdentity: Read = (cursor, script) =>
  ddlRulesOf(script.dialect).identityIsRequired ? identity(cursor, script) : group(cursor, script)
const computation: Read = (cursor, script) => {
  const start = cursor.copy()
  readExpression(cursor, script, isClause)
  const expression = start.first(cursor.position - start.position)
  return { isComputed: true, computedType: readCast(expression, script)?.type }
}
/** Reads a column of ClickHouse that `select *` leaves out. */
const byName: Read = (cursor, script) => ({ ...expression(cursor, script), access: 'by name' })
const never: Read = (cursor, script) => ({ ...expression(cursor, script), access: 'never' })
/** Reads settings in brackets, or `name = value, …` to the end. */
const settings: Read = (cursor) => {
  if (!cursor.takeGroup()) while (!cursor.done) cursor.next()
  return {}
}
const defaultOnNull: Read = (cursor, script) => {
  if (cursor.skip('FOR', 'INSERT', 'ONLY')) return { ...defaultValue(cursor, script), isRequired: true }
  cursor.skip('FOR', 'INSERT', 'AND', 'UPDATE')
  return { ...defaultValue(cursor, script), isRequired: true }
}
const defaultValue: Read = (cursor, script) => {
  const text = readExpression(cursor, script, isClause)
  return /^null$/i.test(text) ? {} : { default: text }
}

/**
 * The clauses that may follow the type of a column, in any dialect. Any other word stops reading, so no part
 * of an unknown clause is misread.
 */
const CLAUSES: readonly Clause[] = [
  { words: 'NOT NULL', read: () => ({ isRequired: true }) },
  { words: 'NOT FOR REPLICATION' },
  { words: 'NOT DEFERRABLE' },
  { words: 'NOT ENFORCED' },
  { words: 'NOT VALID' },
  { words: 'NULL', read: () => ({ isRequired: false }) },
  { words: 'CONSTRAINT', read: constraintName },
  { words: 'PRIMARY KEY', read: key('primary') },
  { words: 'UNIQUE KEY', read: key('unique') },
  { words: 'UNIQUE', read: key('unique') },
  { words: 'KEY', read: () => ({ key: 'primary' }) }, // MySQL
  { words: 'FOREIGN KEY REFERENCES', read: foreignKey },
  { words: 'FOREIGN KEY', read: tableForeignKey },
  { words: 'REFERENCES', read: foreignKey },
  { words: 'CHECK', read: (cursor) => ({ check: readCheck(cursor) }) },
  { words: 'DEFAULT ON NULL', read: defaultOnNull }, // Oracle
  { words: 'DEFAULT', read: defaultValue },
  { words: 'COMMENT', read: (cursor) => ({ comment: readText(cursor) }) },
  { words: 'OPTIONS', read: (cursor) => ({ comment: readDescription(cursor) }) },
  { words: 'CASCADE' },
  { words: 'RESTRICT' },
  { words: 'FIRST', read: () => ({ after: '' }) },
  { words: 'AFTER', read: (cursor, script) => ({ after: takeName(cursor, script) }) },

  // generated values
  { words: 'GENERATED ALWAYS AS IDENTITY', read: identity },
  { words: 'GENERATED BY DEFAULT AS IDENTITY', read: identity },
  { words: 'GENERATED BY DEFAULT ON NULL AS IDENTITY', read: identity },
  { words: 'GENERATED ALWAYS AS ROW START' },
  { words: 'GENERATED ALWAYS AS ROW END' },
  { words: 'GENERATED ALWAYS AS', read: computation },
  { words: 'AS', read: computation },
  { words: 'IDENTITY', read: ownIdentity },
  { words: 'AUTO_INCREMENT' },
  { words: 'AUTOINCREMENT', read: group },
  { words: 'START WITH', read: oneToken },
  { words: 'START', read: oneToken },
  { words: 'INCREMENT BY', read: oneToken },
  { words: 'INCREMENT', read: oneToken },
  { words: 'NOORDER' },
  { words: 'ORDER' },
  { words: 'MATERIALIZED', read: byName },
  { words: 'ALIAS', read: byName },
  { words: 'EPHEMERAL', read: never },
  { words: 'STORED' },
  { words: 'VIRTUAL' },
  { words: 'PERSISTED' },
  { words: 'PERSISTENT' },

  // enforcement of keys
  { words: 'ON DELETE SET NULL' },
  { words: 'ON DELETE SET DEFAULT' },
  { words: 'ON DELETE NO ACTION' },
  { words: 'ON DELETE', read: oneToken },
  { words: 'ON UPDATE SET NULL' },
  { words: 'ON UPDATE SET DEFAULT' },
  { words: 'ON UPDATE NO ACTION' },
  { words: 'ON UPDATE', read: expression }, // MySQL: ON UPDATE CURRENT_TIMESTAMP(6)
  { words: 'ON CONFLICT', read: oneToken },
  { words: 'ON', read: oneToken }, // SQL Server: a file group
  { words: 'MATCH', read: oneToken },
  { words: 'DEFERRABLE' },
  { words: 'INITIALLY', read: oneToken },
  { words: 'ENFORCED' },
  { words: 'RELY' },
  { words: 'NORELY' },
  { words: 'ENABLE' },
  { words: 'DISABLE' },
  { words: 'VALIDATE' },
  { words: 'NOVALIDATE' },
  { words: 'NO INHERIT' },
  { words: 'CLUSTERED' },
  { words: 'NONCLUSTERED' },
  { words: 'NULLS DISTINCT' },
  { words: 'NULLS NOT DISTINCT' },
  { words: 'ASC' },
  { words: 'DESC' },
  { words: 'USING INDEX TABLESPACE', read: oneToken },

  // attributes of ClickHouse's dictionaries
  { words: 'EXPRESSION', read: expression },
  { words: 'HIERARCHICAL' },
  { words: 'BIDIRECTIONAL' },
  { words: 'INJECTIVE' },
  { words: 'IS_OBJECT_ID' },

  // encoding and storage of values
  { words: 'COLLATE', read: collation },
  { words: 'CHARACTER SET', read: charset },
  { words: 'CHAR SET', read: charset },
  { words: 'CHARSET', read: charset },
  { words: 'ASCII', read: binary },
  { words: 'UNICODE', read: binary },
  { words: 'CODEC', read: group },
  { words: 'STATISTICS', read: group },
  { words: 'SETTINGS', read: settings },
  { words: 'TTL', read: expression },
  { words: 'ENCODE', read: oneToken },
  { words: 'DISTKEY', read: () => ({ storageKey: 'distribution' }) },
  { words: 'SORTKEY', read: () => ({ storageKey: 'sort' }) },
  { words: 'STORAGE', read: oneToken },
  { words: 'COMPRESSION', read: oneToken },
  { words: 'COLUMN_FORMAT', read: oneToken },
  { words: 'SRID', read: oneToken },
  { words: 'ENGINE_ATTRIBUTE', read: expression },
  { words: 'SECONDARY_ENGINE_ATTRIBUTE', read: expression },
  { words: 'FORMAT', read: oneToken },
  { words: 'INVISIBLE', read: () => ({ access: 'by name' }) },
  { words: 'NOT VISIBLE', read: () => ({ access: 'by name' }) },
  { words: 'CREATE FAMILY', read: name },
  { words: 'CREATE IF NOT EXISTS FAMILY', read: name },
  { words: 'FAMILY', read: name },
  { words: 'VISIBLE' },
  { words: 'HIDDEN', read: () => ({ access: 'by name' }) },
  { words: 'SPARSE' },
  { words: 'COLUMN_SET FOR ALL_SPARSE_COLUMNS' },
  { words: 'COMPRESSED' },
  { words: 'INDEX', read: name },
  { words: 'FILESTREAM' },
  { words: 'ROWGUIDCOL' },
  { words: 'MASKED WITH', read: group },
  { words: 'ENCRYPTED WITH', read: group },
  { words: 'WITH MASKING POLICY', read: name },
  { words: 'WITH PROJECTION POLICY', read: name },
  { words: 'WITH TAG', read: group },
  { words: 'WITH VALUES' },
  { words: 'WITH SYSTEM VERSIONING' },
  { words: 'WITHOUT SYSTEM VERSIONING' },
  { words: 'WITH', read: group }, // Trino: properties; SQL Server: options of an index
  { words: 'MASKING POLICY', read: name },
  { words: 'PROJECTION POLICY', read: name },
  { words: 'TAG', read: group },
  { words: 'MASK', read: name },
  { words: 'USING COLUMNS', read: group },
  { words: 'USING', read: expression }, // PostgreSQL: converts old values to the new type
]

/** The clauses by their first word, longest first. */
const BY_WORD = Map.groupBy(
  CLAUSES.map((clause) => ({ ...clause, words: clause.words.split(' ') })).toSorted(
    (a, b) => b.words.length - a.words.length,
  ),
  ({ words }) => words[0] ?? '',
)

/** Returns true if one of the clauses comes next. */
export function isClause(cursor: Cursor): boolean {
  return findClause(cursor) !== undefined
}

/**
 * Reads the clauses after the type of a column.
 *
 * @throws {UnreadableSql} At the first word that does not begin a clause.
 */
export function readClauses(column: string, cursor: Cursor, script: Script): ColumnTail {
  const constraints: Constraint[] = []
  const tail: { -readonly [Key in keyof Facts]: Facts[Key] } = {}
  while (!cursor.done) {
    const facts = skipUnreadable(script, () => readClause(column, cursor, script))
    if (!facts) {
      skipToClause(cursor)
      continue
    }
    const { constraintName: constraint } = tail
    constraints.push(...toRules(column, facts).map((rule) => ({ ...rule, name: constraint, isInline: true })))
    Object.assign(tail, { constraintName: undefined }, facts)
  }
  const { access, after, comment, computedType, default: value, isComputed, isRequired, storageKey } = tail
  return {
    access,
    after,
    comment,
    computedType,
    default: value,
    isComputed,
    isRequired,
    storageKey,
    constraints,
  }
}

function readClause(column: string, cursor: Cursor, script: Script): Facts {
  const clause = findClause(cursor)
  if (!clause) throw unreadable(cursor.peek(), `a constraint or property of the column ${column}, or a comma`)
  cursor.skip(...clause.words)
  return clause.read?.(cursor, script) ?? {}
}

function toRules(
  column: string,
  { check, key: kind, keyColumns: columns = [column], references }: Facts,
): readonly Rule[] {
  return [
    ...(kind ? [{ kind, columns }] : []),
    ...(references ? [{ kind: 'foreign' as const, columns, references }] : []),
    ...(check ? [check] : []),
  ]
}

function findClause(
  cursor: Cursor,
): (Omit<Clause, 'words'> & { readonly words: readonly string[] }) | undefined {
  const token = cursor.peek()
  if (token?.kind !== 'word') return undefined
  return BY_WORD.get(token.text.toUpperCase())?.find(({ words }) => cursor.at(...words))
}
