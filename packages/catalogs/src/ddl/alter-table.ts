import type { Cursor } from '../sql/cursor.ts'
import { isWord } from '../sql/tokens.ts'
import { ALTER_VERBS, type ReadActions } from './alter-actions.ts'
import { ddlRulesOf } from './ddl-rules-of.ts'
import type { Action, Change } from './definitions.ts'
import { readName } from './names.ts'
import type { Script } from './script.ts'
import { skipUnreadable } from './skip-unreadable.ts'
import { swapNames } from './swap-names.ts'

/** Options that may appear among the actions without a verb of their own. */
const OPTIONS = ['CHARACTER', 'CONVERT', 'DEFAULT', 'DISABLE', 'ENABLE', 'ORDER', 'OWNER', 'SET', 'VALIDATE']

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
  // SQL Server did not look at the rows that were there: they may break the constraint
  const isUnchecked = cursor.skip('WITH', 'NOCHECK')
  cursor.skip('WITH', 'CHECK')
  const actions = readActions(cursor, script)
  return {
    kind: 'alter table',
    name,
    actions: isUnchecked ? actions.filter(({ kind }) => kind !== 'add constraint') : actions,
  }
}

function readActions(cursor: Cursor, script: Script): readonly Action[] {
  let read: ReadActions | undefined
  return cursor.splitByComma().flatMap((part) => {
    const verb = ALTER_VERBS.find(([words]) => part.skip(...words))
    const isOption = isWord(part.peek(), ...OPTIONS) || part.atSymbol('=', 1)
    const goesOn = ddlRulesOf(script.dialect).repeatsVerb && !isOption
    read = verb ? verb[1] : goesOn ? read : undefined
    const action = read
    return (action && skipUnreadable(script, () => action(part, script))) ?? []
  })
}
