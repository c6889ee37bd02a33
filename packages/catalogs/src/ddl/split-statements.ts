import { Tokenizer } from '../sql/tokenizer.ts'
import { isSymbol, isWord, type Token } from '../sql/tokens.ts'
import { UnreadableSql } from '../sql/unreadable-sql.ts'
import type { Script } from './script.ts'
import { StatementBuilder } from './statement-builder.ts'

/** What a line for the client, not for the server, begins with: psql, sqlite3, sqlcmd. */
const CLIENT_LINES = ['\\', '.', ':']

const REST_OF_GO = /[ \t]*(?:\d+[ \t]*)?\r?(?:\n|$)/y

/**
 * The statements of a script, one at a time, each as its tokens; of those that are of no interest none is kept. A
 * statement ends at its terminator, at SQL Server's GO, and where another one begins on a new line.
 *
 * @throws {UnreadableSql} For a quote, a comment or a routine without end.
 */
export function* splitStatements(
  { dialect, sql }: Script,
  isOfInterest: (first: Token) => boolean,
): Generator<readonly Token[], void> {
  const tokenizer = new Tokenizer(sql, dialect)
  const hasBatches = dialect === 'sqlserver' || /^[ \t]*GO[ \t]*\r?$/im.test(sql)
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
      yield statement.tokens
      if (statement.readsData) skipData(tokenizer)
      statement = new StatementBuilder(isOfInterest)
      continue
    }
    const verb = statement.isFollowedBy(token) ? statement.last : undefined
    if (verb || statement.isEndedBy(token)) {
      yield verb && statement.tokens.at(-1) === verb ? statement.tokens.slice(0, -1) : statement.tokens
      statement = new StatementBuilder(isOfInterest)
      if (verb) statement.add(verb)
    }
    statement.add(token)
  }
  if (statement.routine.isOpen && !hasBatches) {
    throw new UnreadableSql(statement.first?.start ?? 0, 'END of the routine', 'the end of the file')
  }
  yield statement.tokens
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
  const isForClient = isFree && CLIENT_LINES.some((mark) => isSymbol(token, mark))
  if (isForClient) tokenizer.takeLine()
  return isForClient
}

/** Skips the rows of a COPY, which end with a line `\.`. */
function skipData(tokenizer: Tokenizer): void {
  tokenizer.takeLine()
  while (!tokenizer.atEnd && tokenizer.takeLine() !== '\\.') continue
}
