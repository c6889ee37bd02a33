import type { Cursor } from '../sql/cursor.ts'
import type { Change } from './definitions.ts'
import { readKeyColumns } from './key-columns.ts'
import { readName, takeName } from './names.ts'
import type { Script } from './script.ts'

/**
 * Reads a CREATE UNIQUE INDEX, from the word behind UNIQUE on. Undefined for one over expressions or over some of the
 * rows.
 */
export function readCreateIndex(cursor: Cursor, script: Script): Change | undefined {
  cursor.skip('CLUSTERED')
  cursor.skip('NONCLUSTERED')
  if (!cursor.skip('INDEX')) return undefined
  cursor.skip('CONCURRENTLY')
  cursor.skip('IF', 'NOT', 'EXISTS')
  let index = cursor.at('ON') ? undefined : takeName(cursor, script)
  while (cursor.skipSymbol('.')) index = takeName(cursor, script)
  if (!cursor.skipTo('ON')) return undefined
  cursor.skip('ON')
  cursor.skip('ONLY')
  const name = readName(cursor, script)
  if (cursor.skip('USING')) cursor.next()
  const group = cursor.takeGroup()
  const columns = group && readKeyColumns(group, script)
  if (!columns || cursor.skipTo('WHERE')) return undefined
  const constraint = { kind: 'unique' as const, columns, name: index, isIndex: true }
  return { kind: 'alter table', name, actions: [{ kind: 'add constraint', constraint }] }
}
