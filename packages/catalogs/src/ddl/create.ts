import type { Cursor } from '../sql/cursor.ts'
import { isWord } from '../sql/tokens.ts'
import { readCreateIndex } from './create-index.ts'
import { readCreateTable } from './create-table.ts'
import { readCreateDomain, readCreateType } from './create-type.ts'
import type { Change } from './definitions.ts'
import { unreadable } from './names.ts'
import { readCreatePlace } from './place.ts'
import type { Script } from './script.ts'

const EXTERNAL = ['EXTERNAL', 'FOREIGN']
/** Tables that end with the session, or whose columns the statement does not give. */
const PASSING = ['EVENT', 'TEMP', 'TEMPORARY', 'VIRTUAL', 'VOLATILE']
const OTHER_MODIFIERS = [
  'COLUMN',
  'DYNAMIC',
  'GLOBAL',
  'HYBRID',
  'ICEBERG',
  'INTERACTIVE',
  'LIVE',
  'LOCAL',
  'SNAPSHOT',
  'STREAMING',
  'TRANSIENT',
  'UNLOGGED',
]

/**
 * Reads a CREATE statement from the word behind CREATE on.
 *
 * @throws {UnreadableSql} For a table that is not understood.
 */
export function readCreate(cursor: Cursor, script: Script): Change | undefined {
  const isReplacing = cursor.skip('OR', 'REPLACE')
  cursor.skip('OR', 'REFRESH')
  if (cursor.skip('TYPE')) return readCreateType(cursor, script)
  if (cursor.skip('DOMAIN')) return readCreateDomain(cursor, script)
  if (cursor.skip('UNIQUE')) return readCreateIndex(cursor, script)
  if (cursor.at('DATABASE') || cursor.at('SCHEMA')) return readCreatePlace(cursor, script)
  const modifiers: string[] = []
  while (!cursor.at('TABLE')) {
    const word = cursor.take('word')
    if (!isWord(word, ...EXTERNAL, ...PASSING, ...OTHER_MODIFIERS)) {
      if (cursor.at('TABLE')) throw unreadable(word, 'a kind of table that is known')
      return undefined
    }
    modifiers.push(word?.text.toUpperCase() ?? '')
  }
  cursor.skip('TABLE')
  const isFunction = cursor.at('FUNCTION') && cursor.peek(1)?.kind !== 'symbol' // BigQuery's table functions
  if (isFunction || modifiers.some((word) => PASSING.includes(word))) return undefined
  const isExternal = modifiers.some((word) => EXTERNAL.includes(word))
  return readCreateTable(cursor, script, { isExternal, isReplacing })
}
