import type { Cursor } from '../sql/cursor.ts'
import type { Reference } from './definitions.ts'
import { readKeyColumns } from './key-columns.ts'
import { readName } from './names.ts'
import type { Script } from './script.ts'

/**
 * Reads what stands behind REFERENCES.
 *
 * @throws {UnreadableSql} When that is no table.
 */
export function readReference(cursor: Cursor, script: Script): Reference {
  const table = readName(cursor, script)
  const columns = cursor.takeGroup()
  return { table, columns: columns && readKeyColumns(columns, script) }
}
