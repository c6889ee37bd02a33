import type { DialectName, Fault } from '@stagecraft/spec'
import { Cursor } from '../sql/cursor.ts'
import { lineCounter, type Token } from '../sql/tokens.ts'
import { UnreadableSql } from '../sql/unreadable-sql.ts'
import { readBlock } from './read-block.ts'
import type { SchemaState } from './schema-state.ts'
import type { Script } from './script.ts'
import { expandVariables } from './sqlcmd-variables.ts'
import { restoreStatements } from './stored-statements.ts'
import { splitStatements, type Statement } from './split-statements.ts'
import { isOfInterest, readStatement } from './statements.ts'

/** A file of statements, and what they are read as. */
export interface ScriptFile {
  readonly name: string
  readonly sql: string
  readonly dialect: DialectName | undefined
  readonly target: DialectName | undefined
}

/** Applies every statement of a script to the state and returns what was skipped of it, with its lines. */
export function readScript(
  { dialect, name, sql: text, target }: ScriptFile,
  state: SchemaState,
): readonly Fault[] {
  const sql = restoreStatements(expandVariables(text))
  const faults: Fault[] = []
  const lineAt = lineCounter(sql)
  const note = (error: UnreadableSql, tokens: readonly Token[]): void => {
    faults.push(toFault(error, { tokens, sql, file: name, lineAt }))
  }
  const script = (tokens: readonly Token[]): Script => ({
    sql,
    dialect,
    target,
    skip: (error) => note(error, tokens),
  })
  try {
    for (const statement of splitStatements({ sql, dialect }, isOfInterest))
      applyStatement(statement, script(statement.tokens), state)
  } catch (error) {
    if (!(error instanceof UnreadableSql)) throw error
    note(error, [])
  }
  state.element = undefined
  return faults
}

function applyStatement(
  { isFollowed, tokens, tooDeepAt }: Statement,
  script: Script,
  state: SchemaState,
): void {
  if (tooDeepAt !== undefined)
    script.skip?.(new UnreadableSql(tooDeepAt, 'a statement with at most 200 brackets in each other', 'more'))
  if (tokens.length > 0) applyTokens(tokens, script, { isFollowed, state })
  if (!isFollowed) state.element = undefined
}

interface Place {
  readonly isFollowed: boolean
  readonly state: SchemaState
}

function applyTokens(tokens: readonly Token[], script: Script, { isFollowed, state }: Place): void {
  const changes = readBlock(tokens, script) ?? [() => readStatement(new Cursor(tokens), script)]
  for (const read of changes) {
    try {
      const change = read()
      if (change) state.apply(change)
      if (change?.kind === 'create schema' && isFollowed) state.element = change.schema
    } catch (error) {
      if (!(error instanceof UnreadableSql)) throw error
      script.skip?.(error)
    }
  }
}

interface FaultPlace {
  readonly tokens: readonly Token[]
  readonly sql: string
  readonly file: string
  readonly lineAt: (offset: number) => number
}

function toFault(
  { expected, offset, received }: UnreadableSql,
  { file, lineAt, sql, tokens }: FaultPlace,
): Fault {
  const line = lineAt(offset < 0 ? (tokens.at(-1)?.end ?? 0) : offset)
  const first = tokens[0]
  const words = first ? sql.slice(first.start, first.start + 60).split(/\s*[(\n]/)[0] : undefined
  return { path: file, expected, received: words === undefined ? received : `${received} in ${words}`, line }
}
