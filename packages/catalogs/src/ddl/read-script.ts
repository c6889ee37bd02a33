import type { Fault } from '@stagecraft/spec'
import { Cursor } from '../sql/cursor.ts'
import { lineAt, type Token } from '../sql/tokens.ts'
import { UnreadableSql } from '../sql/unreadable-sql.ts'
import type { SchemaState } from './schema-state.ts'
import type { Script } from './script.ts'
import { splitStatements } from './split-statements.ts'
import { isOfInterest, readStatement } from './statements.ts'

/** Applies every statement of a script to the state and returns what could not be read, with its lines. */
export function readScript(script: Script, file: string, state: SchemaState): readonly Fault[] {
  const faults: Fault[] = []
  try {
    for (const tokens of splitStatements(script, isOfInterest)) {
      const fault = applyStatement(tokens, script, state)
      if (fault) faults.push(toFault(fault, tokens, script, file))
    }
  } catch (error) {
    if (!(error instanceof UnreadableSql)) throw error
    faults.push(toFault(error, [], script, file))
  }
  return faults
}

function applyStatement(
  tokens: readonly Token[],
  script: Script,
  state: SchemaState,
): UnreadableSql | undefined {
  try {
    const change = tokens.length > 0 ? readStatement(new Cursor(tokens), script) : undefined
    if (change) state.apply(change)
    return undefined
  } catch (error) {
    if (error instanceof UnreadableSql) return error
    throw error
  }
}

function toFault(error: UnreadableSql, tokens: readonly Token[], { sql }: Script, file: string): Fault {
  const { expected, offset, received } = error
  const line = lineAt(sql, offset < 0 ? (tokens.at(-1)?.end ?? 0) : offset)
  const first = tokens[0]
  const words = first ? sql.slice(first.start, first.start + 60).split(/\s*[(\n]/)[0] : undefined
  return { path: file, expected, received: words === undefined ? received : `${received} in ${words}`, line }
}
