import type { Cursor } from '../sql/cursor.ts'
import type { Change } from './definitions.ts'
import type { Script } from './script.ts'

/** Reads SQL Server's call that describes a table or a column, from the word behind EXEC on. */
export function readExtendedProperty(cursor: Cursor, _script: Script): Change | undefined {
  cursor.skip('SYS')
  cursor.skipSymbol('.')
  if (!cursor.skip('SP_ADDEXTENDEDPROPERTY')) return undefined
  const values = readArguments(cursor)
  const value = (name: string): string | undefined => values.get(name)
  const name = value('@level1name')
  const isTable = value('@level1type')?.toUpperCase() === 'TABLE'
  const isDescription = value('@name')?.toUpperCase() === 'MS_DESCRIPTION'
  if (!isDescription || !isTable || name === undefined) return undefined
  const comment = value('@value')
  const column = value('@level2type')?.toUpperCase() === 'COLUMN' ? value('@level2name') : undefined
  if (value('@level2type') !== undefined && column === undefined) return undefined // of an index, a constraint
  const action =
    column === undefined
      ? { kind: 'set comment' as const, comment }
      : { kind: 'set column' as const, column, facts: { comment } }
  return { kind: 'alter table', name: { schema: value('@level0name'), name }, actions: [action] }
}

/** `@name=N'value', …` by name in lower case; what is not a text is left out. */
function readArguments(cursor: Cursor): ReadonlyMap<string, string> {
  return new Map(
    cursor.splitByComma().flatMap((argument) => {
      const name = argument.take('word')?.text.toLowerCase()
      argument.skipSymbol('=')
      const value = argument.take('text', 'name')?.text
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    }),
  )
}
