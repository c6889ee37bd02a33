import { Cursor, isSymbol, isWord, type Token, UnreadableSql } from '../sql/cursor.ts'
import type { Change } from './definitions.ts'
import type { Script } from './script.ts'
import { splitStatements } from './split-statements.ts'
import { isOfInterest, readStatement } from './statements.ts'

type Read = () => Change | undefined

/** Words after which a statement of a block begins. */
const BEFORE_STATEMENT = ['BEGIN', 'THEN', 'ELSE', 'LOOP', 'EXECUTE']

/**
 * Reads the statements that run within another one; undefined if it is a plain statement:
 *
 * - `DO $$ BEGIN CREATE TYPE …; EXCEPTION … END $$` of PostgreSQL, which migrations use to tolerate existing types
 * - `IF OBJECT_ID('a') IS NULL CREATE TABLE a (…)` of SQL Server
 * - texts that are run as SQL: `EXECUTE IMMEDIATE 'CREATE TABLE …'` of Oracle, `EXEC ('CREATE TABLE …')` of SQL Server
 *
 * @throws {UnreadableSql} For a text that cannot be split into statements.
 */
export function readBlock(tokens: readonly Token[], script: Script): readonly Read[] | undefined {
  const [first] = tokens
  if (isWord(first, 'DO')) return readBody(tokens, script)
  const text = textThatRuns(tokens)
  if (text) return readText(text, script)
  return isWord(first, 'IF', 'BEGIN') ? readCondition(tokens, script) : undefined
}

function readBody(tokens: readonly Token[], script: Script): readonly Read[] {
  const body = tokens.find(({ kind }) => kind === 'text')
  if (!body) return []
  const inner = scriptOf(body, script)
  return [...splitStatements(inner, () => true)].flatMap((statement) => {
    const at = statement.tokens.findIndex(
      (token, index) =>
        isOfInterest(token) &&
        !isWord(token, 'SET', 'USE', 'DO', 'IF', 'BEGIN') &&
        (index === 0 || isWord(statement.tokens[index - 1], ...BEFORE_STATEMENT)),
    )
    const rest = statement.tokens.slice(at)
    if (at < 0) return []
    const quiet = { ...inner, skip: () => undefined }
    return readBlock(rest, quiet) ?? [() => readStatement(new Cursor(rest), quiet)]
  })
}

/** Returns the text that a statement runs, unless it is put together from parts. */
function textThatRuns(tokens: readonly Token[]): Token | undefined {
  const at = tokens.findIndex(
    (token, index) => isWord(token, 'EXECUTE') && isWord(tokens[index + 1], 'IMMEDIATE'),
  )
  if (at >= 0) return isSymbol(tokens[at + 3], '||') ? undefined : wholeText(tokens[at + 2])
  if (!isWord(tokens[0], 'EXEC', 'EXECUTE')) return undefined
  if (tokens.length === 2) return wholeText(tokens[1]) // PL/pgSQL
  if (isSymbol(tokens[1], '(')) return isSymbol(tokens[3], ')') ? wholeText(tokens[2]) : undefined
  const procedure = tokens.findIndex(({ text }) => /^sp_executesql$/i.test(text))
  const value = procedure < 0 ? undefined : tokens.slice(procedure + 1, procedure + 4)
  const isNamed = value?.[0]?.text.startsWith('@') === true && isSymbol(value[1], '=')
  return wholeText(isNamed ? value[2] : value?.[0])
}

function wholeText(token: Token | undefined): Token | undefined {
  return token?.kind === 'text' ? token : undefined
}

function readText(text: Token, script: Script): readonly Read[] {
  const inner = scriptOf(text, script)
  return [...splitStatements(inner, isOfInterest)].flatMap(({ tokens }) =>
    tokens.length === 0 ? [] : (readBlock(tokens, inner) ?? [() => readStatement(new Cursor(tokens), inner)]),
  )
}

/** The text as a script of its own; its faults are those of the statement around it. */
function scriptOf({ start, text }: Token, script: Script): Script {
  const skip = ({ expected, received }: UnreadableSql): void =>
    script.skip?.(new UnreadableSql(start, expected, received))
  return { ...script, sql: text, skip }
}

/** Reads the statement behind the condition of IF, or the first of a block on the same line. */
function readCondition(tokens: readonly Token[], script: Script): readonly Read[] {
  let depth = 0
  const at = tokens.findIndex((token) => {
    depth += isSymbol(token, '(') ? 1 : isSymbol(token, ')') ? -1 : 0
    return depth === 0 && isWord(token, 'ALTER', 'CREATE', 'DROP', 'EXEC', 'EXECUTE')
  })
  if (at < 0) return []
  const rest = tokens.slice(at)
  const end = rest.findIndex((token) => isWord(token, 'ELSE', 'END'))
  const statement = end < 0 ? rest : rest.slice(0, end)
  return readBlock(statement, script) ?? [() => readStatement(new Cursor(statement), script)]
}
