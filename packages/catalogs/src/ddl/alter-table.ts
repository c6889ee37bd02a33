import { type Cursor, isWord, type Token } from '../sql/cursor.ts'
import { isClause } from './column-clauses.ts'
import { mayBeColumn, type ReadColumn, readColumn, readColumnType } from './columns.ts'
import { readConstraint } from './constraints.ts'
import type { Action, Change, ColumnDefinition, ConstraintGroup, QualifiedName } from './definitions.ts'
import { readDescription, readExpression, readText } from './expressions.ts'
import { isTypeKnown } from './read-type.ts'
import { readColumnName, readName, takeName, unreadable } from './names.ts'
import { type Script, ddlRulesOf, skipUnreadable } from './script.ts'

/** Swaps the names of two tables. */
export function swapNames(first: QualifiedName, second: QualifiedName): Change {
  const between = { ...first, name: `${first.name} on its way to ${second.name}` }
  return {
    kind: 'rename tables',
    pairs: [
      [first, between],
      [second, first],
      [between, second],
    ],
  }
}

/** Words after ALTER for things other than columns. */
const OTHER_THINGS = [
  'COMPOUND',
  'CONSTRAINT',
  'DISTKEY',
  'DISTSTYLE',
  'ENCODE',
  'INDEX',
  'INTERLEAVED',
  'SORTKEY',
]

/** Words that set properties that are not read. */
const OTHER_FACTS = ['ADD', 'DROP', 'ENCODE', 'REMOVE', 'RESET', 'RESTART', 'SET', 'SYNC', 'UNSET']

/**
 * Reads the action after ALTER: one attribute of a column in PostgreSQL and similar dialects, the whole column in
 * SQL Server.
 */
function readAlterColumn(cursor: Cursor, script: Script): readonly Action[] {
  const isOther = !cursor.at('COLUMN') && OTHER_THINGS.some((word) => cursor.at(word))
  return isOther ? [] : readChanges(cursor, script, 'type')
}

/** Reads the action after MODIFY: a whole column in MySQL, one attribute in Snowflake, several columns in Oracle. */
function readModifyColumn(cursor: Cursor, script: Script): readonly Action[] {
  const { modify } = ddlRulesOf(script.dialect)
  const isOther = modify === 'stated behind COLUMN' && !cursor.at('COLUMN') // MODIFY TTL, MODIFY ORDER BY
  if (isOther) return []
  const group = cursor.takeGroup()
  if (group) return group.splitByComma().flatMap((part) => readChanges(part, script))
  return readChanges(cursor, script, modify === 'whole' ? 'all' : 'stated')
}

/** Skips the words that may come between a verb and the name of a column. */
function skipColumnWord(cursor: Cursor): void {
  if (!cursor.skip('COLUMNS')) cursor.skip('COLUMN')
  cursor.skip('IF', 'EXISTS')
  cursor.skip('IF', 'NOT', 'EXISTS')
}

/**
 * The part of a column that a new definition replaces: `all`, its `type` and nullability, or only the
 * `stated` parts.
 */
type Extent = 'all' | 'type' | 'stated'

function readChanges(cursor: Cursor, script: Script, extent: Extent = 'stated'): readonly Action[] {
  skipColumnWord(cursor)
  const column = readColumnName(cursor, script)
  if (cursor.atSymbol('.')) return [] // a field of a struct
  const fact = readFact(column, cursor, script)
  if (fact) return [{ kind: 'set column', column, facts: fact }]
  if (OTHER_FACTS.some((word) => cursor.at(word))) return []
  const start = cursor.peek()
  const { after, column: facts, constraints } = readColumnType(column, cursor, script)
  if (extent === 'type' && !isTypeKnown(facts.type))
    throw unreadable(start, `a type or an attribute of the column ${column}`)
  return [
    { kind: 'set column', column, facts: within(facts, extent), after, dropsChecks: extent === 'all' },
    ...constraints.map((constraint) => ({ kind: 'add constraint' as const, constraint })),
  ]
}

function within(facts: ColumnDefinition, extent: Extent): Partial<ColumnDefinition> {
  const { isRequired, type, typeName, values } = facts
  // Oracle: MODIFY name NOT NULL
  if (extent === 'all' && type !== undefined) return facts
  if (extent === 'type' && type !== undefined) return { isRequired, type, typeName, values }
  const stated = Object.entries(facts).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(stated), ...(type !== undefined && { typeName, values }) }
}

/** Reads one attribute that is set on a column. */
function readFact(name: string, cursor: Cursor, script: Script): Partial<ColumnDefinition> | undefined {
  if (cursor.skip('SET', 'NOT', 'NULL')) return { isRequired: true }
  if (cursor.skip('DROP', 'NOT', 'NULL')) return { isRequired: false }
  if (cursor.skip('DROP', 'DEFAULT')) return { default: undefined }
  if (cursor.skip('SET', 'DEFAULT')) return { default: readExpression(cursor, script, isClause) }
  if (cursor.skip('ADD', 'GENERATED')) return { isRequired: true }
  if (cursor.skip('COMMENT')) return { comment: readText(cursor) }
  if (cursor.skip('SET', 'COMMENT')) return { comment: readText(cursor) }
  if (cursor.skip('UNSET', 'COMMENT') || cursor.skip('REMOVE', 'COMMENT')) return { comment: undefined }
  if (cursor.skip('SET', 'OPTIONS')) return { comment: readDescription(cursor) }
  if (!cursor.skip('SET', 'DATA', 'TYPE') && !cursor.skip('TYPE')) return undefined
  const { type, typeName, values } = readColumnType(name, cursor, script).column
  return { type, typeName, values }
}

type ReadActions = (cursor: Cursor, script: Script) => readonly Action[]

/** The verbs of ALTER TABLE that change columns and keys; all others are ignored. */
const ALTER_VERBS: readonly (readonly [words: readonly string[], read: ReadActions])[] = [
  [['COMMENT', 'COLUMN'], readColumnComment],
  [['COMMENT'], readTableComment],
  [['MODIFY', 'COMMENT'], readTableComment],
  [['SET', 'COMMENT'], readTableComment],
  [['SET', 'OPTIONS'], (cursor) => [{ kind: 'set comment', comment: readDescription(cursor) }]],
  [
    ['SET', 'SCHEMA'],
    (cursor, script) => [{ kind: 'rename table', to: { schema: readColumnName(cursor, script) } }],
  ],
  [['SET', 'UNUSED'], readDrop], // Oracle: nobody can read the column any more
  [['ADD'], readAdd],
  [['DROP'], readDrop],
  [['ALTER'], readAlterColumn],
  [['MODIFY'], readModifyColumn],
  [['CHANGE'], readChange],
  [['REPLACE', 'COLUMNS'], readReplace],
  [['RENAME'], readRename],
  [
    ['ATTACH', 'PARTITION'],
    (cursor, script) => [{ kind: 'attach partition', partition: readName(cursor, script) }],
  ],
]

/** The words before the name of a constraint or an index, and the group that they limit it to. */
const CONSTRAINT_WORDS: readonly (readonly [words: readonly string[], group: ConstraintGroup | undefined])[] =
  [
    [['CONSTRAINT'], undefined],
    [['FOREIGN', 'KEY'], 'references'],
    [['CHECK'], 'checks'],
    [['INDEX'], 'keys'],
    [['KEY'], 'keys'],
  ]

/** Words after ADD for things other than columns and constraints. */
const OTHER_ADDITIONS = [
  'DATA METRIC FUNCTION',
  'DEFAULT',
  'PARTITION',
  'ROW ACCESS POLICY',
  'SEARCH OPTIMIZATION',
  'STATISTICS',
  'SYSTEM VERSIONING',
].map((words) => words.split(' '))

/** ClickHouse: `COMMENT COLUMN name 'text'`. */
function readColumnComment(cursor: Cursor, script: Script): readonly Action[] {
  cursor.skip('IF', 'EXISTS')
  const column = readColumnName(cursor, script)
  return [{ kind: 'set column', column, facts: { comment: readText(cursor) } }]
}

function readTableComment(cursor: Cursor): readonly Action[] {
  return [{ kind: 'set comment', comment: readText(cursor) }]
}

function readAdd(cursor: Cursor, script: Script): readonly Action[] {
  const index = readUseIndex(cursor.copy(), script)
  if (index) return [index]
  // ADD CONSTRAINT name DEFAULT (0) FOR column, of SQL Server
  if (cursor.at('CONSTRAINT') && isWordAfterName(cursor, 'DEFAULT')) return []
  const constraints = readConstraint(cursor, script)
  if (constraints) return constraints.map((constraint) => ({ kind: 'add constraint', constraint }))
  skipColumnWord(cursor)
  if (OTHER_ADDITIONS.some((words) => cursor.at(...words))) return []
  const group = cursor.takeGroup()
  if (group) return group.splitByComma().flatMap((part) => readAdd(part, script))
  if (cursor.atSymbol('.', 1)) return [] // a field of a struct
  const start = cursor.peek()
  const read = readColumn(cursor, script)
  if (!mayBeColumn(read.column, script)) throw unreadable(start, 'a column with a type, or a constraint')
  return [{ kind: 'add column', column: read.column, after: read.after }, ...addConstraints(read)]
}

/** PostgreSQL: `ADD CONSTRAINT name PRIMARY KEY USING INDEX index`. */
function readUseIndex(cursor: Cursor, script: Script): Action | undefined {
  const name = cursor.skip('CONSTRAINT') ? takeName(cursor, script) : undefined
  const as = cursor.skip('PRIMARY', 'KEY') ? 'primary' : cursor.skip('UNIQUE') ? 'unique' : undefined
  if (!as || !cursor.skip('USING', 'INDEX') || cursor.at('TABLESPACE')) return undefined
  return { kind: 'use index', index: readColumnName(cursor, script), as, name }
}

function readDrop(cursor: Cursor, script: Script): readonly Action[] {
  if (cursor.skip('PRIMARY', 'KEY')) return [{ kind: 'drop constraint', name: undefined }]
  const found = CONSTRAINT_WORDS.find(([words]) => cursor.skip(...words))
  if (found) {
    cursor.skip('IF', 'EXISTS')
    return [{ kind: 'drop constraint', name: readColumnName(cursor, script), group: found[1] }]
  }
  if (cursor.at('PARTITION') || cursor.at('PROJECTION') || cursor.at('SYSTEM')) return []
  skipColumnWord(cursor)
  const columns = cursor.takeGroup()?.splitByComma() ?? [cursor]
  return columns.flatMap((one) => {
    const column = readColumnName(one, script)
    return one.atSymbol('.') ? [] : [{ kind: 'drop column' as const, column }] // a field of a struct
  })
}

/** CHANGE in MySQL renames and redefines a column; in Databricks it may also set one attribute. */
function readChange(cursor: Cursor, script: Script): readonly Action[] {
  const setsOneThing = cursor.peek(cursor.at('COLUMN') ? 2 : 1)
  if (isWord(setsOneThing, 'COMMENT', 'TYPE')) return readAlterColumn(cursor, script)
  skipColumnWord(cursor)
  const column = readColumnName(cursor, script)
  const { after, column: facts, constraints } = readColumn(cursor, script)
  return [
    { kind: 'rename column', column, to: facts.name },
    { kind: 'set column', column: facts.name, facts, after, dropsChecks: true },
    ...constraints.map((constraint) => ({ kind: 'add constraint' as const, constraint })),
  ]
}

/** Hive and Spark: new columns in place of all but those of partitions. */
function readReplace(cursor: Cursor, script: Script): readonly Action[] {
  const group = cursor.takeGroup()
  if (!group) throw unreadable(cursor.peek(), 'the columns in brackets')
  const columns = group.splitByComma().map((part) => readColumn(part, script).column)
  return [{ kind: 'replace columns', columns }]
}

function readRename(cursor: Cursor, script: Script): readonly Action[] {
  const found = CONSTRAINT_WORDS.find(([words]) => words.length === 1 && cursor.skip(...words))
  if (found) {
    const name = readColumnName(cursor, script)
    if (!cursor.skip('TO')) return []
    return [{ kind: 'rename constraint', name, to: readColumnName(cursor, script), group: found[1] }]
  }
  if (cursor.skip('TO') || cursor.skip('AS') || cursor.skipSymbol('='))
    return [{ kind: 'rename table', to: readName(cursor, script) }]
  cursor.skip('COLUMN')
  cursor.skip('IF', 'EXISTS')
  const start = cursor.copy()
  const column = readColumnName(cursor, script)
  if (cursor.done || cursor.atSymbol('.')) return [{ kind: 'rename table', to: readName(start, script) }] // MySQL
  return cursor.skip('TO') ? [{ kind: 'rename column', column, to: readColumnName(cursor, script) }] : []
}

function addConstraints({ constraints }: ReadColumn): readonly Action[] {
  return constraints.map((constraint) => ({ kind: 'add constraint', constraint }))
}

function isWordAfterName(cursor: Cursor, word: string): boolean {
  const ahead = cursor.copy()
  ahead.next()
  ahead.next()
  return ahead.at(word)
}

/** First words of actions and options that change no columns and no keys, in any dialect. */
const OTHER_ACTIONS: ReadonlySet<string> = new Set(
  `access algorithm allocate analyze append archive attach auto_increment avg_row_length cache change_tracking character
  check checksum clear cluster coalesce collate column_format compact compression concatenate configure connection convert
  data deallocate default delay_key_write delete depends detach directory disable discard distribute enable encryption engine
  exchange experimental fetch flashback force freeze import inherit initrans inmemory inplace insert_method key_block_size
  lock logging materialize max_rows merge min_rows modify move no nocache nocheck nologging noparallel not of online optimize
  options order owner pack_keys page_checksum parallel partition pctfree pctused period policy promote purge read rebuild
  reclaim recluster recover refresh reloptions remove reorganize repair replica reset resume row row_format row_type
  secondary_load secondary_unload set shrink split stats_auto_recalc stats_persistent stats_sample_pages storage suspend swap
  switch tablespace touch trigger truncate type unarchive uncluster unfreeze union unpartition unset update upgrade validate
  visible volatile with without write`
    .trim()
    .split(/\s+/),
)

/**
 * Reads an ALTER TABLE from the name on.
 *
 * @throws {UnreadableSql} For a column or a key that is not understood.
 */
export function readAlterTable(cursor: Cursor, script: Script): Change {
  cursor.skip('IF', 'EXISTS')
  cursor.skip('ONLY')
  const name = readName(cursor, script)
  cursor.skipSymbol('*') // PostgreSQL: with the tables that inherit
  if (cursor.skip('ON', 'CLUSTER')) cursor.next()
  if (cursor.skip('SWAP', 'WITH')) return swapNames(name, readName(cursor, script)) // Snowflake
  const isUnchecked = cursor.skip('WITH', 'NOCHECK')
  cursor.skip('WITH', 'CHECK')
  const actions = readActions(cursor, script)
  return {
    kind: 'alter table',
    name,
    actions: isUnchecked ? actions.filter((action) => !mayBeViolated(action)) : actions,
  }
}

/**
 * Returns true for a constraint that existing rows may violate after WITH NOCHECK. Keys are always checked.
 * https://learn.microsoft.com/en-us/sql/t-sql/statements/alter-table-transact-sql#with--check--nocheck-
 */
function mayBeViolated(action: Action): boolean {
  if (action.kind !== 'add constraint') return false
  return action.constraint.kind !== 'primary' && action.constraint.kind !== 'unique'
}

function readActions(cursor: Cursor, script: Script): readonly Action[] {
  let read: ReadActions | undefined
  return cursor.splitByComma().flatMap((part) => {
    const start = part.peek()
    const verb = ALTER_VERBS.find(([words]) => part.skip(...words))
    const isOption = OTHER_ACTIONS.has(start?.text.toLowerCase() ?? '') || part.atSymbol('=', 1)
    const repeatsVerb = ddlRulesOf(script.dialect).repeatsVerb && !isOption
    read = verb ? verb[1] : repeatsVerb ? read : undefined
    const action = read ?? (isOption || start === undefined ? undefined : () => unknownAction(start))
    return (action && skipUnreadable(script, () => action(part, script))) ?? []
  })
}

function unknownAction(start: Token): readonly Action[] {
  throw unreadable(start, 'an action of ALTER TABLE such as ADD, ALTER or DROP')
}
