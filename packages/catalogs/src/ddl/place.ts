import type { Cursor } from '../sql/cursor.ts'
import { type Script, ddlRulesOf } from './script.ts'
import type { Change } from './definitions.ts'
import { readName, reportPlaceholder, takeName, takePlaceholder } from './names.ts'

/** Reads a USE statement, after USE. */
export function readUse(cursor: Cursor, script: Script): Change | undefined {
  const isDatabase = cursor.skip('DATABASE') || cursor.skip('CATALOG')
  const isSchema = !isDatabase && cursor.skip('SCHEMA')
  const isBracketed = cursor.peek()?.quote === '['
  if (cursor.at('ROLE') || cursor.at('WAREHOUSE') || cursor.at('SECONDARY')) return undefined
  const start = cursor.peek()?.start ?? -1
  const placeholder = takePlaceholder(cursor, script)
  if (placeholder !== undefined) {
    reportPlaceholder(placeholder, start, script)
    return undefined
  }
  const { name, schema } = readName(cursor, script)
  if (schema !== undefined) return { kind: 'use', database: schema, schema: name }
  const namesDatabase = isDatabase || isBracketed || ddlRulesOf(script.dialect).useNames === 'database'
  return namesDatabase && !isSchema ? { kind: 'use', database: name } : { kind: 'use', schema: name }
}

/** Reads `DECLARE @name sql_variant = N'text', …` of SQL Server. */
export function readDeclare(cursor: Cursor, { variables }: Script): undefined {
  for (const part of cursor.splitByComma()) {
    const name = part.next()?.text.toLowerCase() ?? ''
    while (!part.done && !part.atSymbol('=')) part.next()
    const value = part.skipSymbol('=') ? part.take('text') : undefined
    if (value && part.done && name.startsWith('@')) variables?.set(name, value.text)
  }
}

/** Reads `SET @name = N'text'` of SQL Server. Other values are unknown. */
function setVariable(cursor: Cursor, { variables }: Script): undefined {
  const name = cursor.next()?.text.toLowerCase() ?? ''
  const value = cursor.skipSymbol('=') ? cursor.take('text') : undefined
  if (value && cursor.done) variables?.set(name, value.text)
  else variables?.delete(name)
}

/** Reads `SET search_path = …`, `SET SCHEMA …` and the value of a variable, after SET. */
export function readSetPlace(cursor: Cursor, script: Script): Change | undefined {
  if (cursor.peek()?.text.startsWith('@') === true) return setVariable(cursor, script)
  cursor.skip('SESSION')
  cursor.skip('LOCAL')
  if (!cursor.skip('SEARCH_PATH') && !cursor.skip('SCHEMA')) return undefined
  cursor.skipSymbol('=')
  cursor.skip('TO')
  const names = cursor.splitByComma().map((part) => takeName(part, script) ?? part.take('text')?.text)
  const schema = names.find((name) => name !== undefined && name !== '$user')
  return { kind: 'use', schema: schema || undefined }
}

/**
 * Reads CREATE SCHEMA and CREATE DATABASE, after CREATE. In Snowflake, a new schema becomes the current one,
 * and the output of GET_DDL relies on that.
 */
export function readCreatePlace(cursor: Cursor, script: Script): Change | undefined {
  const isUsed = ddlRulesOf(script.dialect).createUses
  const isDatabase = cursor.skip('DATABASE')
  if (!isDatabase) cursor.skip('SCHEMA')
  cursor.skip('IF', 'NOT', 'EXISTS')
  cursor.skip('AUTHORIZATION') // the schema is named after its owner
  const { name, schema: database } = readName(cursor, script)
  if (!isDatabase) return { kind: 'create schema', schema: name, isUsed, database }
  return isUsed ? { kind: 'use', database: name } : undefined
}
