import { Tokenizer } from '../sql/tokenizer.ts'
import { isSymbol, isWord, type Token } from '../sql/tokens.ts'
import { UnreadableSql } from '../sql/unreadable-sql.ts'
import { ddlRulesOf } from './ddl-rules-of.ts'
import type { Script } from './script.ts'
import { skipRows } from './skip-rows.ts'
import { StatementBuilder } from './statement-builder.ts'

/** The beginnings of lines for the client, not for the server: psql, sqlite3, sqlcmd, SQL*Plus. */
const CLIENT_LINES = ['\\', '.', ':']

/** Lines of SQL*Plus that are not cut into tokens, for they are prose: `rem it's late`. */
const REMARKS = ['PROMPT', 'REM', 'REMARK']
/** Commands of SQL*Plus end with their line: the next one is no part of them. */
const LINE_COMMANDS =
  'ACCEPT CLEAR COLUMN CONNECT DEFINE EXIT HOST PAUSE SET SHOW SPOOL START TTITLE UNDEFINE WHENEVER'.split(
    ' ',
  )

const REST_OF_GO = /[ \t]*(?:\d+[ \t]*)?\r?(?:\n|$)/y

/** One statement of a script. */
export interface Statement {
  /** None of a statement that is of no interest. */
  readonly tokens: readonly Token[]
  /** Another statement begins where it ends, without anything between them: they may belong together. */
  readonly isFollowed: boolean
  /** Brackets stand in each other too deeply: here it begins. */
  readonly tooDeepAt: number | undefined
}

/**
 * The statements of a script, one at a time, each as its tokens; of those that are of no interest none is kept. A
 * statement ends at its terminator, at SQL Server's GO, and where another one begins on a new line.
 *
 * @throws {UnreadableSql} For a quote, a comment or a routine without end.
 */
export function* splitStatements(
  { dialect, sql }: Script,
  isOfInterest: (first: Token) => boolean,
): Generator<Statement, void> {
  const tokenizer = new Tokenizer(sql, dialect)
  const hasBatches =
    ddlRulesOf(dialect).hasBatches || (dialect === undefined && /^[ \t]*GO[ \t]*\r?$/im.test(sql))
  let statement = new StatementBuilder(isOfInterest)
  const isEnd = (token: Token): boolean => {
    if (hasBatches && isGo(token, sql)) return true
    // a routine of SQL Server fills its batch
    const isInRoutine = hasBatches ? statement.routine.isRoutine : statement.routine.isOpen
    return token.kind === 'terminator' && (!isInRoutine || token.text !== ';')
  }
  for (let token = tokenizer.next(); token; token = tokenizer.next()) {
    if (runClientCommand(token, statement, tokenizer)) continue
    if (isEnd(token)) {
      yield toStatement(statement)
      if (statement.readsData) skipData(tokenizer)
      statement = new StatementBuilder(isOfInterest)
      continue
    }
    const verb = statement.isFollowedBy(token) ? statement.last : undefined
    if (verb || statement.isEndedBy(token)) {
      yield { ...toStatement(statement, verb), isFollowed: true }
      statement = new StatementBuilder(isOfInterest, statement.isElement)
      if (verb) statement.add(verb)
    }
    // a row is not cut into tokens; the first bracket of one is enough to know the statement by
    if (statement.expectsRow && isSymbol(token, '(')) {
      const end = skipRows(sql, token.start, tokenizer.rules)
      tokenizer.skipTo(end)
      if (end > token.start) continue
    }
    statement.add(token)
  }
  if (statement.routine.isOpen && !hasBatches) {
    throw new UnreadableSql(statement.first?.start ?? 0, 'END of the routine', 'the end of the file')
  }
  yield toStatement(statement)
}

/** @param next The last token, when it belongs to the next statement. */
function toStatement(statement: StatementBuilder, next?: Token): Statement {
  const { first, isTooDeep, tokens } = statement
  return {
    tokens: next && tokens.at(-1) === next ? tokens.slice(0, -1) : tokens,
    isFollowed: false,
    tooDeepAt: isTooDeep ? first?.start : undefined,
  }
}

function isGo(token: Token, sql: string): boolean {
  if (!token.startsLine || !isWord(token, 'GO')) return false
  REST_OF_GO.lastIndex = token.end
  return REST_OF_GO.test(sql)
}

/** Runs what is meant for the client that the script was written for. */
function runClientCommand(token: Token, statement: StatementBuilder, tokenizer: Tokenizer): boolean {
  if (!token.startsLine) return false
  const isFree = statement.first === undefined
  if (isWord(token, 'DELIMITER') && (isFree || statement.routine.isRoutine)) {
    tokenizer.terminator = tokenizer.takeLine() || ';'
    return true
  }
  const isRemark = isWord(token, ...REMARKS) && (isFree || isWord(statement.first, ...LINE_COMMANDS))
  const isScript = isFree && token.kind === 'word' && token.text.startsWith('@') // @other.sql
  const isForClient = isRemark || isScript || (isFree && CLIENT_LINES.some((mark) => isSymbol(token, mark)))
  if (isForClient) tokenizer.takeLine()
  return isForClient
}

/** Skips the rows of a COPY, which end with a line `\.`. */
function skipData(tokenizer: Tokenizer): void {
  tokenizer.takeLine()
  tokenizer.skipLines('\\.')
}
