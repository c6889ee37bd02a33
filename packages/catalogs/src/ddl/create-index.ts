import type { Cursor } from '../sql/cursor.ts'
import type { Change } from './definitions.ts'
import { readKeyColumns } from './key-columns.ts'
import { readName } from './names.ts'
import type { Script } from './script.ts'

/**
 * Reads a CREATE UNIQUE INDEX, from the word behind UNIQUE on. Undefined for one over expressions or over some of the
 * rows.
 */
export function readCreateIndex(cursor: Cursor, script: Script): Change | undefined {
  if (!cursor.skipTo('ON')) return undefined
  cursor.skip('ON')
  cursor.skip('ONLY')
  const name = readName(cursor, script)
  if (cursor.skip('USING')) cursor.next()
  const group = cursor.takeGroup()
  const columns = group && readKeyColumns(group, script)
  if (!columns || cursor.skipTo('WHERE')) return undefined
  const constraint = { kind: 'unique' as const, columns, name: undefined }
  return { kind: 'alter table', name, actions: [{ kind: 'add constraint', constraint }] }
}
