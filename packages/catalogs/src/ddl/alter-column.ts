import type { Cursor } from '../sql/cursor.ts'
import { isClause } from './column-clauses.ts'
import { readColumnType } from './columns.ts'
import { ddlRulesOf } from './ddl-rules-of.ts'
import type { Action, ColumnDefinition } from './definitions.ts'
import { readExpression } from './expressions.ts'
import { readColumnName } from './names.ts'
import type { Script } from './script.ts'
import { readDescription, readText } from './text.ts'

/** The things that ALTER changes besides columns. */
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

/** Words that set what is not read. */
const OTHER_FACTS = ['ADD', 'DROP', 'REMOVE', 'RESET', 'RESTART', 'SET', 'UNSET']

/** Reads what stands behind ALTER: one thing of a column in PostgreSQL and its kin, all of it in SQL Server. */
export function readAlterColumn(cursor: Cursor, script: Script): readonly Action[] {
  const isOther = !cursor.at('COLUMN') && OTHER_THINGS.some((word) => cursor.at(word))
  return isOther ? [] : readChanges(cursor, script, 'type')
}

/** Reads what stands behind MODIFY: all of a column in MySQL, one thing of it in Snowflake, several columns in Oracle. */
export function readModifyColumn(cursor: Cursor, script: Script): readonly Action[] {
  const { modify } = ddlRulesOf(script.dialect)
  const isOther = modify === 'stated behind COLUMN' && !cursor.at('COLUMN') // MODIFY TTL, MODIFY ORDER BY
  if (isOther) return []
  const group = cursor.takeGroup()
  if (group) return group.splitByComma().flatMap((part) => readChanges(part, script))
  return readChanges(cursor, script, modify === 'whole' ? 'all' : 'said')
}

/** Moves past the words that may stand between a verb and the name of a column. */
export function skipColumnWord(cursor: Cursor): void {
  if (!cursor.skip('COLUMNS')) cursor.skip('COLUMN')
  cursor.skip('IF', 'EXISTS')
  cursor.skip('IF', 'NOT', 'EXISTS')
}

/**
 * The part of a column that a new definition replaces: `all`, its `type` and nullability, or only the parts
 * that are `said`.
 */
type Extent = 'all' | 'type' | 'said'

function readChanges(cursor: Cursor, script: Script, extent: Extent = 'said'): readonly Action[] {
  skipColumnWord(cursor)
  const column = readColumnName(cursor, script)
  if (cursor.atSymbol('.')) return [] // a field of a struct
  const fact = readFact(column, cursor, script)
  if (fact) return [{ kind: 'set column', column, facts: fact }]
  if (OTHER_FACTS.some((word) => cursor.at(word))) return []
  const { after, column: facts, constraints } = readColumnType(column, cursor, script)
  return [
    { kind: 'set column', column, facts: within(facts, extent), after, dropsChecks: extent === 'all' },
    ...constraints.map((constraint) => ({ kind: 'add constraint' as const, constraint })),
  ]
}

function within(facts: ColumnDefinition, extent: Extent): Partial<ColumnDefinition> {
  if (extent === 'all') return facts
  const { isRequired, type, typeName, values } = facts
  if (extent === 'type') return { isRequired, type, typeName, values }
  const said = Object.entries(facts).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(said), ...(type !== undefined && { typeName, values }) }
}

/** Reads one thing that is set of a column. */
function readFact(name: string, cursor: Cursor, script: Script): Partial<ColumnDefinition> | undefined {
  if (cursor.skip('SET', 'NOT', 'NULL')) return { isRequired: true }
  if (cursor.skip('DROP', 'NOT', 'NULL')) return { isRequired: undefined }
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
