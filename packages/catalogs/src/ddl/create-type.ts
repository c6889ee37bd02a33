import type { Cursor } from '../sql/cursor.ts'
import { readColumnType } from './columns.ts'
import type { Change } from './definitions.ts'
import { readName } from './names.ts'
import type { Script } from './script.ts'

/** Reads `CREATE TYPE name AS ENUM (…)` and `CREATE TYPE name FROM type`, from the name on; undefined for every other type. */
export function readCreateType(cursor: Cursor, script: Script): Change | undefined {
  const name = readName(cursor, script)
  if (cursor.skip('FROM')) return { kind: 'create type', type: { name, ...readBase(cursor, script) } }
  const labels = cursor.skip('AS', 'ENUM') ? cursor.takeGroup()?.splitByComma() : undefined
  if (!labels) return undefined
  const values = labels.flatMap((label) => label.take('text')?.text ?? [])
  return { kind: 'create type', type: { name, values } }
}

/** Reads `CREATE DOMAIN name AS type …`, from the name on. */
export function readCreateDomain(cursor: Cursor, script: Script): Change {
  const name = readName(cursor, script)
  cursor.skip('AS')
  return { kind: 'create type', type: { name, ...readBase(cursor, script) } }
}

type Base = Omit<Extract<Change, { readonly kind: 'create type' }>['type'], 'name'>

function readBase(cursor: Cursor, script: Script): Base {
  const { column, constraints } = readColumnType('VALUE', cursor, script)
  const list = constraints.find((constraint) => constraint.kind === 'values')
  return { values: list?.values, type: column.type, isRequired: column.isRequired }
}
