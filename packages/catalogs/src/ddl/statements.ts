import type { Cursor } from '../sql/cursor.ts'
import { isWord, type Token } from '../sql/tokens.ts'
import { readAlterTable } from './alter-table.ts'
import { readComment } from './comment-on.ts'
import { readCreate } from './create.ts'
import type { Change } from './definitions.ts'
import { readExtendedProperty } from './extended-property.ts'
import { readName } from './names.ts'
import { readSetPlace, readUse } from './place.ts'
import type { Script } from './script.ts'

type Read = (cursor: Cursor, script: Script) => Change | undefined

/** The statements that say something of tables, by their first words. */
const STATEMENTS: readonly (readonly [words: readonly string[], read: Read])[] = [
  [['CREATE'], readCreate],
  [['ALTER', 'TABLE'], readAlterTable],
  [['ALTER', 'FOREIGN', 'TABLE'], readAlterTable],
  [['COMMENT'], readComment],
  [['DROP', 'TABLE'], readDrop],
  [['EXEC'], readExtendedProperty],
  [['EXECUTE'], readExtendedProperty],
  [['SET'], readSetPlace],
  [['USE'], readUse],
]

const FIRST_WORDS = STATEMENTS.flatMap(([words]) => words.slice(0, 1))

/** Whether a statement that begins with the token may say something of tables. */
export function isOfInterest(first: Token): boolean {
  return isWord(first, ...FIRST_WORDS)
}

/**
 * What a statement does to the tables; undefined when it does nothing to them.
 *
 * @throws {UnreadableSql} For a table that is not understood.
 */
export function readStatement(cursor: Cursor, script: Script): Change | undefined {
  const found = STATEMENTS.find(([words]) => cursor.skip(...words))
  return found?.[1](cursor, script)
}

function readDrop(cursor: Cursor, script: Script): Change {
  cursor.skip('IF', 'EXISTS')
  return { kind: 'drop table', names: cursor.splitByComma().map((name) => readName(name, script)) }
}
