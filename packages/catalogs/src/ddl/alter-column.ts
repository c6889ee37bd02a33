import type { Cursor } from '../sql/cursor.ts'
import { isClause } from './column-clauses.ts'
import { readColumnType } from './columns.ts'
import type { Action, ColumnDefinition } from './definitions.ts'
import { readExpression } from './expressions.ts'
import { readColumnName } from './names.ts'
import type { Script } from './script.ts'
import { readText } from './text.ts'

/** What ALTER alters besides columns. */
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
const OTHER_FACTS = ['ADD', 'DROP', 'RESET', 'RESTART', 'SET', 'UNSET']

/** Reads what stands behind ALTER: one thing of a column in PostgreSQL and its kin, all of it in SQL Server. */
export function readAlterColumn(cursor: Cursor, script: Script): readonly Action[] {
  const isOther = !cursor.at('COLUMN') && OTHER_THINGS.some((word) => cursor.at(word))
  return isOther ? [] : readChanges(cursor, script)
}

/** Reads what stands behind MODIFY: all of a column in MySQL, one thing of it in Snowflake. */
export function readModifyColumn(cursor: Cursor, script: Script): readonly Action[] {
  const isOther = script.dialect === 'clickhouse' && !cursor.at('COLUMN') // MODIFY TTL, MODIFY ORDER BY
  return isOther ? [] : readChanges(cursor, script)
}

/** Moves past the words that may stand between a verb and the name of a column. */
export function skipColumnWord(cursor: Cursor): void {
  if (!cursor.skip('COLUMNS')) cursor.skip('COLUMN')
  cursor.skip('IF', 'EXISTS')
  cursor.skip('IF', 'NOT', 'EXISTS')
}

function readChanges(cursor: Cursor, script: Script): readonly Action[] {
  skipColumnWord(cursor)
  const column = readColumnName(cursor, script)
  if (cursor.atSymbol('.')) return [] // a field of a struct
  const facts = readFact(column, cursor, script)
  if (facts) return [{ kind: 'set column', column, facts }]
  if (OTHER_FACTS.some((word) => cursor.at(word))) return []
  const read = readColumnType(column, cursor, script)
  return [{ kind: 'set column', column, facts: read.column, after: read.after }]
}

/** Reads one thing that is set of a column. */
function readFact(name: string, cursor: Cursor, script: Script): Partial<ColumnDefinition> | undefined {
  if (cursor.skip('SET', 'NOT', 'NULL')) return { isRequired: true }
  if (cursor.skip('DROP', 'NOT', 'NULL')) return { isRequired: undefined }
  if (cursor.skip('DROP', 'DEFAULT')) return { default: undefined }
  if (cursor.skip('SET', 'DEFAULT')) return { default: readExpression(cursor, script, isClause) }
  if (cursor.skip('ADD', 'GENERATED')) return { isRequired: true }
  if (cursor.skip('COMMENT')) return { comment: readText(cursor) }
  if (!cursor.skip('SET', 'DATA', 'TYPE') && !cursor.skip('TYPE')) return undefined
  const { type, typeName, values } = readColumnType(name, cursor, script).column
  return { type, typeName, values }
}
