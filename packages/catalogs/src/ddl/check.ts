import type { Cursor } from '../sql/cursor.ts'
import { readJsonCheckAt } from '../sql/json-check.ts'
import { readValueListAt } from '../sql/value-list.ts'
import { unlessUnreadable } from '../sql/unreadable-sql.ts'
import type { Rule } from './definitions.ts'

/** Reads what stands behind CHECK. A condition that rows may break says nothing of values. */
export function readCheck(cursor: Cursor): Rule | undefined {
  const condition = cursor.takeGroup()
  if (!condition) return undefined
  const isLoose = cursor.at('NOT', 'ENFORCED') || cursor.at('NOT', 'VALID')
  const words = condition
    .rest()
    .flatMap(({ kind, text }) => (kind === 'word' || kind === 'name' ? [text] : []))
  if (isLoose) return { kind: 'condition', words }
  const json = readJsonCheckAt(condition.copy())
  if (json) return { kind: 'json', column: json }
  const list = unlessUnreadable(() => readValueListAt(condition))
  return list ? { kind: 'values', ...list } : { kind: 'condition', words }
}
