import type { Cursor } from '../sql/cursor.ts'
import { readJsonCheckAt } from '../sql/json-check.ts'
import { readValueListAt } from '../sql/value-list.ts'
import type { Rule } from './definitions.ts'

/** Reads what stands behind CHECK. Undefined for a condition that rows may break, or that lists no values. */
export function readCheck(cursor: Cursor): Rule | undefined {
  const condition = cursor.takeGroup()
  const isLoose = cursor.at('NOT', 'ENFORCED') || cursor.at('NOT', 'VALID')
  if (!condition || isLoose) return undefined
  const json = readJsonCheckAt(condition.copy())
  if (json) return { kind: 'json', column: json }
  const list = readValueListAt(condition)
  return list && { kind: 'values', ...list }
}
