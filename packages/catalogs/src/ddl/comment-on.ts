import type { Cursor } from '../sql/cursor.ts'
import type { Change } from './definitions.ts'
import { takeName } from './names.ts'
import type { Script } from './script.ts'

/** Reads `COMMENT ON TABLE name IS 'text'`, and that on a column, from the word behind COMMENT on. */
export function readComment(cursor: Cursor, script: Script): Change | undefined {
  cursor.skip('IF', 'EXISTS')
  if (!cursor.skip('ON')) return undefined
  cursor.skip('FOREIGN')
  cursor.skip('MATERIALIZED')
  const isTable = cursor.skip('TABLE') || cursor.skip('VIEW')
  if (!isTable && !cursor.skip('COLUMN')) return undefined
  const parts = readParts(cursor, script)
  if (!cursor.skip('IS')) return undefined
  const comment = cursor.take('text')?.text
  const column = isTable ? undefined : parts.at(-1)
  const [name, schema, database] = (isTable ? parts : parts.slice(0, -1)).toReversed()
  if (name === undefined) return undefined
  const action =
    column === undefined
      ? { kind: 'set comment' as const, comment }
      : { kind: 'set column' as const, column, facts: { comment } }
  return { kind: 'alter table', name: { database, schema, name }, actions: [action] }
}

/** Up to four parts: a column has one more than its table. */
function readParts(cursor: Cursor, script: Script): readonly string[] {
  const parts: string[] = []
  do {
    const part = takeName(cursor, script)
    if (part !== undefined) parts.push(part)
  } while (cursor.skipSymbol('.'))
  return parts
}
