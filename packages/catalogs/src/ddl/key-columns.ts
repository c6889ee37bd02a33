import type { Cursor } from '../sql/cursor.ts'
import { takeName } from './names.ts'
import type { Script } from './script.ts'

/**
 * The columns of a key or index. Undefined when one of them is an expression, so that the key says nothing of the
 * columns; a prefix (`name(10)`), an order and a collation change nothing about that.
 */
export function readKeyColumns(cursor: Cursor, script: Script): readonly string[] | undefined {
  const columns = cursor.splitByComma().map((part) => readKeyColumn(part, script))
  const plain = columns.filter((column) => column !== undefined)
  return plain.length > 0 && plain.length === columns.length ? plain : undefined
}

function readKeyColumn(cursor: Cursor, script: Script): string | undefined {
  const name = takeName(cursor, script)
  const isPrefix = cursor.peek(1)?.kind === 'number'
  if (isPrefix) cursor.takeGroup()
  while (cursor.take('word', 'name')) continue // ASC, NULLS LAST, COLLATE "C", an operator class
  return cursor.done ? name : undefined
}
