import type { Cursor } from '../sql/cursor.ts'
import { isWord } from '../sql/tokens.ts'
import { readCreateIndex } from './create-index.ts'
import { readCreateTable } from './create-table.ts'
import { readCreateView } from './create-view.ts'
import { readCreateVirtualTable } from './create-virtual-table.ts'
import { readCreateDomain, readCreateType } from './create-type.ts'
import type { Change } from './definitions.ts'
import { unreadable } from './names.ts'
import { readCreatePlace } from './place.ts'
import type { Script } from './script.ts'

const EXTERNAL = ['EXTERNAL', 'FOREIGN']
/** Tables that end with the session, and triggers on events. */
const PASSING = ['EVENT', 'TEMP', 'TEMPORARY', 'VOLATILE']
const OTHER_MODIFIERS = [
  'ALGORITHM',
  'COLUMN',
  'DEFINER',
  'DYNAMIC',
  'EDITIONABLE',
  'FORCE',
  'GLOBAL',
  'HYBRID',
  'ICEBERG',
  'INTERACTIVE',
  'LIVE',
  'LOCAL',
  'MATERIALIZED',
  'NO',
  'NONEDITIONABLE',
  'RECURSIVE',
  'SECURE',
  'SECURITY',
  'SNAPSHOT',
  'SQL',
  'STREAMING',
  'TRANSIENT',
  'UNLOGGED',
  'VIRTUAL',
]

/**
 * Reads a CREATE statement from the word behind CREATE on.
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
  // ClickHouse's, which is read from as from a table
  if (cursor.skip('DICTIONARY')) return readCreateTable(cursor, script, { isExternal: false, isReplacing })
  const modifiers: string[] = []
  while (!cursor.at('TABLE') && !cursor.at('VIEW')) {
    const word = cursor.take('word')
    if (!isWord(word, ...EXTERNAL, ...PASSING, ...OTHER_MODIFIERS)) {
      if (isNearTable(cursor)) throw unreadable(word ?? cursor.peek(), 'a kind of table that is known')
      return undefined
    }
    modifiers.push(word?.text.toUpperCase() ?? '')
    skipModifierValue(cursor, word?.text)
  }
  const isPassing = modifiers.some((modifier) => PASSING.includes(modifier))
  if (cursor.skip('VIEW')) return isPassing ? undefined : readCreateView(cursor, script, isReplacing)
  cursor.skip('TABLE')
  if (modifiers.includes('VIRTUAL')) return readCreateVirtualTable(cursor, script)
  const isFunction = cursor.at('FUNCTION') && cursor.peek(1)?.kind !== 'symbol' // BigQuery's table functions
  if (isFunction || isPassing) return undefined
  const isExternal = modifiers.some((word) => EXTERNAL.includes(word))
  return readCreateTable(cursor, script, { isExternal, isReplacing })
}

/** Tells whether TABLE comes within the next words, so that those before it were to say of which kind it is. */
function isNearTable(cursor: Cursor): boolean {
  for (let ahead = 0; ahead < 7; ahead++) {
    const token = cursor.peek(ahead)
    if (isWord(token, 'TABLE')) return true
    // CREATE PUBLICATION all FOR TABLE a, CREATE STREAM b ON TABLE a
    if (!token || isWord(token, 'AS', 'FOR', 'FROM', 'IN', 'OF', 'ON', 'TO')) return false
  }
  return false
}

/** MySQL: `ALGORITHM=MERGE DEFINER=\`root\`@\`localhost\` SQL SECURITY DEFINER`. */
function skipModifierValue(cursor: Cursor, modifier = ''): void {
  if (cursor.skipSymbol('=')) {
    cursor.next()
    const isHost = cursor.peek()?.text.startsWith('@') === true
    if (isHost && cursor.next()?.text === '@') cursor.next()
    cursor.takeGroup() // CURRENT_USER()
  } else if (/^security$/i.test(modifier)) cursor.next()
}
