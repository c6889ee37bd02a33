import { Cursor } from '../sql/cursor.ts'
import { readTokens } from '../sql/tokenizer.ts'
import type { Action, Change } from './definitions.ts'
import { readColumnName, readName, takeName } from './names.ts'
import type { Script } from './script.ts'

type Arguments = ReadonlyMap<string, string>

/** The parameters of a procedure in their order, for calls that do not name them. */
const PROPERTY_PARAMETERS = [
  '@name',
  '@value',
  '@level0type',
  '@level0name',
  '@level1type',
  '@level1name',
  '@level2type',
  '@level2name',
]
const RENAME_PARAMETERS = ['@objname', '@newname', '@objtype']

interface Procedure {
  readonly parameters: readonly string[]
  readonly read: (values: Arguments, script: Script) => Change | undefined
}

/** https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-addextendedproperty-transact-sql, …/sp-rename-transact-sql */
const PROCEDURES: Readonly<Record<string, Procedure>> = {
  sp_addextendedproperty: { parameters: PROPERTY_PARAMETERS, read: describe },
  sp_updateextendedproperty: { parameters: PROPERTY_PARAMETERS, read: describe },
  sp_rename: { parameters: RENAME_PARAMETERS, read: rename },
}

/** Reads calls of SQL Server that describe and rename tables and columns, after EXEC. */
export function readProcedureCall(cursor: Cursor, script: Script): Change | undefined {
  let name = takeName(cursor, script)
  while (cursor.skipSymbol('.')) name = takeName(cursor, script)
  const procedure = name === undefined ? undefined : PROCEDURES[name.toLowerCase()]
  return procedure?.read(readArguments(cursor, { parameters: procedure.parameters, script }), script)
}

function describe(values: Arguments): Change | undefined {
  const value = (name: string): string | undefined => values.get(name)
  const name = value('@level1name')
  const isTable = /^(?:table|view)$/i.test(value('@level1type') ?? '')
  const isDescription = value('@name')?.toUpperCase() === 'MS_DESCRIPTION'
  if (!isDescription || !isTable || name === undefined) return undefined
  const comment = value('@value')
  const column = value('@level2type')?.toUpperCase() === 'COLUMN' ? value('@level2name') : undefined
  if (value('@level2type') !== undefined && column === undefined) return undefined // the comment of an index or a constraint
  const action: Action =
    column === undefined
      ? { kind: 'set comment', comment }
      : { kind: 'set column', column, facts: { comment } }
  return { kind: 'alter table', name: { schema: value('@level0name'), name }, actions: [action] }
}

/** Reads `sp_rename 'dbo.orders.id', 'order_id', 'COLUMN'`. */
function rename(values: Arguments, script: Script): Change | undefined {
  const to = values.get('@newname')
  const object = values.get('@objname')
  const type = values.get('@objtype')?.toUpperCase()
  if (to === undefined || object === undefined) return undefined
  const cursor = new Cursor(readTokens(object, script.dialect))
  if (type !== 'COLUMN' && type !== 'INDEX') {
    const name = readName(cursor, script)
    if (type !== undefined && type !== 'OBJECT') return undefined
    return { kind: 'alter table', name, actions: [{ kind: 'rename table', to: { name: to } }] }
  }
  const parts = [readColumnName(cursor, script)]
  while (cursor.skipSymbol('.')) parts.push(readColumnName(cursor, script))
  const [part = '', table, schema] = parts.toReversed()
  if (table === undefined) return undefined
  const action: Action =
    type === 'COLUMN'
      ? { kind: 'rename column', column: part, to }
      : { kind: 'rename constraint', name: part, to, group: 'keys' }
  return { kind: 'alter table', name: { schema, name: table }, actions: [action] }
}

interface ArgumentOptions {
  readonly parameters: readonly string[]
  readonly script: Script
}

/**
 * Reads `@name = N'value', …`, or only the values in order. A word is its own value, NULL is none, and a variable has
 * the text that was assigned to it.
 */
function readArguments(cursor: Cursor, { parameters, script: { variables } }: ArgumentOptions): Arguments {
  return new Map(
    cursor.splitByComma().flatMap((argument, index) => {
      const isNamed = argument.atSymbol('=', 1)
      const name = isNamed ? argument.next()?.text.toLowerCase() : parameters[index]
      argument.skipSymbol('=')
      const token = argument.take('text', 'name', 'word')
      const isVariable = token?.kind === 'word' && token.text.startsWith('@')
      const isNull = token?.kind === 'word' && /^null$/i.test(token.text)
      const value = isVariable ? variables?.get(token.text.toLowerCase()) : token?.text
      return name === undefined || value === undefined || isNull ? [] : [[name, value] as const]
    }),
  )
}
