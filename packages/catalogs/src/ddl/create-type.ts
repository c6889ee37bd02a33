import type { Cursor } from '../sql/cursor.ts'
import { readColumnType } from './columns.ts'
import type { Change } from './definitions.ts'
import { readName } from './names.ts'
import type { Script } from './script.ts'

/** Reads `CREATE TYPE name AS ENUM (…)`, from the name on; undefined for every other type. */
export function readCreateType(cursor: Cursor, script: Script): Change | undefined {
  const name = readName(cursor, script)
  const labels = cursor.skip('AS', 'ENUM') ? cursor.takeGroup()?.splitByComma() : undefined
  if (!labels) return undefined
  const values = labels.flatMap((label) => label.take('text')?.text ?? [])
  return { kind: 'create type', type: { name, values } }
}

/** Reads `CREATE DOMAIN name AS type …`, from the name on. */
export function readCreateDomain(cursor: Cursor, script: Script): Change {
  const name = readName(cursor, script)
  cursor.skip('AS')
  const { column, constraints } = readColumnType('VALUE', cursor, script)
  const list = constraints.find((constraint) => constraint.kind === 'values')
  const { isRequired, type } = column
  return { kind: 'create type', type: { name, values: list?.values, type, isRequired } }
}
