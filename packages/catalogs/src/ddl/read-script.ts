import type { DialectName, Fault } from '@stagecraft/spec'
import { Cursor, type Token, UnreadableSql, lineCounter } from '../sql/cursor.ts'
import { readBlock } from './read-block.ts'
import type { SchemaState } from './schema-state.ts'
import { type Script, skipUnreadable } from './script.ts'
import { type Statement, splitStatements } from './split-statements.ts'
import { isOfInterest, readStatement } from './statements.ts'

const STORED =
  /^INSERT INTO sqlite_(?:schema|master)\s*\(type,name,tbl_name,rootpage,sql\)\s*VALUES\s*\('table',(?:'(?:[^']|'')*',){2}0,'((?:[^']|'')*)'\);/gim

/**
 * Replaces rows of a SQLite dump with the statements of virtual tables that they contain.
 * https://www.sqlite.org/cli.html#converting_an_entire_database_to_a_text_file
 */
function restoreStatements(sql: string): string {
  return sql.includes('sqlite_')
    ? sql.replace(STORED, (_, text: string) => `${text.replaceAll("''", "'")};`)
    : sql
}

const SETS_VARIABLE = /^[ \t]*:setvar\b/im
const LINE = /^[ \t]*:setvar[ \t]+(\w+)(?:[ \t]+("(?:[^"]|"")*"|\S+))?/i
const USE = /\$\((\w+)\)/g

/**
 * Replaces variables of sqlcmd with their values: `$(Schema)` after a line `:setvar Schema "sales"`. A
 * variable without a value does not change, and every line keeps its number.
 * https://learn.microsoft.com/en-us/sql/tools/sqlcmd/sqlcmd-use-scripting-variables
 */
function expandVariables(sql: string): string {
  if (!SETS_VARIABLE.test(sql)) return sql
  const values = new Map<string, string>()
  const lines = sql.split('\n').map((line) => {
    const set = LINE.exec(line)
    if (!set) return line.replace(USE, (use, name: string) => values.get(name.toLowerCase()) ?? use)
    const [, name = '', value] = set
    if (value === undefined) values.delete(name.toLowerCase())
    else values.set(name.toLowerCase(), unquote(value))
    return line
  })
  return lines.join('\n')
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value
}

/** A file of statements, and the dialects to read it in. */
interface ScriptFile {
  readonly name: string
  readonly sql: string
  readonly dialect: DialectName | undefined
  readonly target: DialectName | undefined
}

/** Applies every statement of a script to the state and returns the skipped statements, with their lines. */
export function readScript(
  { dialect, name, sql: text, target }: ScriptFile,
  state: SchemaState,
): readonly Fault[] {
  const sql = restoreStatements(expandVariables(text))
  const faults: Fault[] = []
  const placeholders = new Set<string>()
  const variables = new Map<string, string>()
  const lineAt = lineCounter(sql)
  const note = (error: UnreadableSql, tokens: readonly Token[]): void => {
    faults.push(toFault(error, { tokens, sql, file: name, lineAt }))
  }
  const script = (tokens: readonly Token[]): Script => ({
    sql,
    dialect,
    target,
    skip: (error) => note(error, tokens),
    placeholders,
    variables,
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
    script.skip?.(new UnreadableSql(tooDeepAt, 'a statement with at most 200 nested brackets', 'more'))
  if (tokens.length > 0) applyTokens(tokens, script, { isFollowed, state })
  if (!isFollowed) state.element = undefined
}

interface Place {
  readonly isFollowed: boolean
  readonly state: SchemaState
}

function applyTokens(tokens: readonly Token[], script: Script, { isFollowed, state }: Place): void {
  const changes = skipUnreadable(script, () => readBlock(tokens, script))
  for (const read of changes ?? [() => readStatement(new Cursor(tokens), script)]) {
    skipUnreadable(script, () => {
      const change = read()
      if (change) state.apply(change, script.skip)
      if (change?.kind === 'create schema' && isFollowed) state.element = change.schema
    })
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
  const words = first ? sql.slice(first.start, first.start + 60).split(/\s*[(\n;]/)[0] : undefined
  return { path: file, expected, received: words === undefined ? received : `${received} in ${words}`, line }
}
