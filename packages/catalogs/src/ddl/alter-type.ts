import type { Cursor } from '../sql/cursor.ts'
import { readCheck } from './constraints.ts'
import type { Change, TypeDefinition } from './definitions.ts'
import { readColumnName, readName } from './names.ts'
import type { Script } from './script.ts'

/** Reads `ALTER TYPE name …`, from the name on; undefined if it changes neither values nor a name. */
export function readAlterType(cursor: Cursor, script: Script): Change | undefined {
  const name = readName(cursor, script)
  if (cursor.skip('ADD', 'VALUE')) return readAddValue(name, cursor)
  if (cursor.skip('RENAME', 'VALUE')) {
    const value = cursor.take('text')?.text
    const to = cursor.skip('TO') ? cursor.take('text')?.text : undefined
    return value === undefined || to === undefined
      ? undefined
      : { kind: 'alter type', name, action: { kind: 'rename value', value, to } }
  }
  return readMove(name, cursor, script)
}

type Named = Extract<Change, { readonly kind: 'alter type' }>['name']

function readAddValue(name: Named, cursor: Cursor): Change | undefined {
  cursor.skip('IF', 'NOT', 'EXISTS')
  const value = cursor.take('text')?.text
  const side = cursor.skip('BEFORE') ? 'before' : cursor.skip('AFTER') ? 'after' : undefined
  const of = cursor.take('text')?.text
  if (value === undefined) return undefined
  const place = side && of !== undefined ? ({ side, of } as const) : undefined
  return { kind: 'alter type', name, action: { kind: 'add value', value, place } }
}

function readMove(name: Named, cursor: Cursor, script: Script): Change | undefined {
  if (cursor.skip('RENAME', 'TO'))
    return { kind: 'alter type', name, action: { kind: 'rename type', to: readName(cursor, script) } }
  if (!cursor.skip('SET', 'SCHEMA')) return undefined
  const schema = readColumnName(cursor, script)
  return { kind: 'alter type', name, action: { kind: 'rename type', to: { name: name.name, schema } } }
}

/** Reads `ALTER DOMAIN name …`, from the name on. */
export function readAlterDomain(cursor: Cursor, script: Script): Change | undefined {
  const name = readName(cursor, script)
  const set = (facts: Partial<TypeDefinition>): Change => ({
    kind: 'alter type',
    name,
    action: { kind: 'set type', facts },
  })
  if (cursor.skip('SET', 'NOT', 'NULL')) return set({ isRequired: true })
  if (cursor.skip('DROP', 'NOT', 'NULL')) return set({ isRequired: undefined })
  if (cursor.skip('DROP', 'CONSTRAINT')) return set({ values: undefined })
  if (cursor.skip('ADD')) {
    if (cursor.skip('CONSTRAINT')) readColumnName(cursor, script)
    if (cursor.skip('NOT', 'NULL')) return set({ isRequired: true })
    const rule = cursor.skip('CHECK') ? readCheck(cursor) : undefined
    return rule?.kind === 'values' ? set({ values: rule.values }) : undefined
  }
  return readMove(name, cursor, script)
}

/** Reads `ALTER SCHEMA name RENAME TO other`, and `ALTER SCHEMA name TRANSFER table` of SQL Server. */
export function readAlterSchema(cursor: Cursor, script: Script): Change | undefined {
  const schema = readColumnName(cursor, script)
  if (cursor.skip('RENAME', 'TO'))
    return { kind: 'rename schema', schema, to: readColumnName(cursor, script) }
  if (!cursor.skip('TRANSFER')) return undefined
  if (cursor.atSymbol('::', 1)) {
    cursor.next()
    cursor.next()
  }
  const name = readName(cursor, script)
  return { kind: 'alter table', name, actions: [{ kind: 'rename table', to: { schema } }] }
}
