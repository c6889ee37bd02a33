import type { Cursor } from '../sql/cursor.ts'
import { isWord } from '../sql/tokens.ts'
import { readAlterColumn, readModifyColumn, skipColumnWord } from './alter-column.ts'
import { type ReadColumn, readColumn } from './columns.ts'
import { readConstraint } from './constraints.ts'
import type { Action } from './definitions.ts'
import { readColumnName, readName, takeName } from './names.ts'
import type { Script } from './script.ts'
import { readDescription, readText } from './text.ts'

export type ReadActions = (cursor: Cursor, script: Script) => readonly Action[]

/** The verbs of ALTER TABLE that change columns and keys; all others change nothing that is read. */
export const ALTER_VERBS: readonly (readonly [words: readonly string[], read: ReadActions])[] = [
  [['COMMENT', 'COLUMN'], readColumnComment],
  [['COMMENT'], readTableComment],
  [['MODIFY', 'COMMENT'], readTableComment],
  [['SET', 'COMMENT'], readTableComment],
  [['SET', 'OPTIONS'], (cursor) => [{ kind: 'set comment', comment: readDescription(cursor) }]],
  [
    ['SET', 'SCHEMA'],
    (cursor, script) => [{ kind: 'rename table', to: { schema: readColumnName(cursor, script) } }],
  ],
  [['ADD'], readAdd],
  [['DROP'], readDrop],
  [['ALTER'], readAlterColumn],
  [['MODIFY'], readModifyColumn],
  [['CHANGE'], readChange],
  [['RENAME'], readRename],
  [
    ['ATTACH', 'PARTITION'],
    (cursor, script) => [{ kind: 'attach partition', partition: readName(cursor, script) }],
  ],
]

/** The words between DROP and the name of a constraint or an index. */
const CONSTRAINT_WORDS = ['CONSTRAINT', 'FOREIGN KEY', 'CHECK', 'INDEX', 'KEY'].map((words) =>
  words.split(' '),
)

/** The things that ADD adds besides columns and constraints. */
const OTHER_ADDITIONS = [
  'DATA METRIC FUNCTION',
  'DEFAULT',
  'PARTITION',
  'ROW ACCESS POLICY',
  'SEARCH OPTIMIZATION',
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
  const read = readColumn(cursor, script)
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
  const isNamed = CONSTRAINT_WORDS.some((words) => cursor.skip(...words))
  if (isNamed) {
    cursor.skip('IF', 'EXISTS')
    return [{ kind: 'drop constraint', name: readColumnName(cursor, script) }]
  }
  if (cursor.at('PARTITION') || cursor.at('PROJECTION') || cursor.at('SYSTEM')) return []
  skipColumnWord(cursor)
  const columns = cursor.takeGroup()?.splitByComma() ?? [cursor]
  return columns.flatMap((one) => {
    const column = readColumnName(one, script)
    return one.atSymbol('.') ? [] : [{ kind: 'drop column' as const, column }] // a field of a struct
  })
}

/** CHANGE of MySQL renames a column and gives it anew, that of Databricks may also set one thing of it. */
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

function readRename(cursor: Cursor, script: Script): readonly Action[] {
  if (cursor.skip('CONSTRAINT') || cursor.skip('INDEX') || cursor.skip('KEY')) {
    const name = readColumnName(cursor, script)
    return cursor.skip('TO') ? [{ kind: 'rename constraint', name, to: readColumnName(cursor, script) }] : []
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
