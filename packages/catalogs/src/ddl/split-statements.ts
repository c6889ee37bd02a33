import { type Token, UnreadableSql, isSymbol, isWord } from '../sql/cursor.ts'
import { type LexicalRules, Tokenizer } from '../sql/tokenizer.ts'
import { type Script, ddlRulesOf } from './script.ts'

const BEFORE_ROW = /[\s,]*/y

/**
 * Patterns for one row of values with at most one function call in each, without comments. Texts with a
 * backslash depend on the dialect; if it is unknown, the tokenizer reads them.
 */
const ROWS: Readonly<Record<LexicalRules['backslash'], RegExp>> = {
  unknown: rowPattern(/'[^'\\]*'/),
  plain: rowPattern(/'[^']*'/),
  escape: rowPattern(/'[^'\\]*(?:\\[^][^'\\]*)*'/),
}

function rowPattern({ source: text }: RegExp): RegExp {
  const other = '[^()\'"`$/#-]*'
  const values = (more: string): string => `${other}(?:(?:${text}|-(?!-)${more})${other})*`
  return new RegExp(`\\(${values(`|\\(${values('')}\\)`)}\\)`, 'y')
}

/**
 * Returns the offset after consecutive plain rows of an INSERT; the tokenizer reads the rest. Every character is
 * visited once.
 */
function skipRows(sql: string, start: number, { backslash }: Pick<LexicalRules, 'backslash'>): number {
  const row = ROWS[backslash]
  let end = start
  for (;;) {
    BEFORE_ROW.lastIndex = end
    BEFORE_ROW.exec(sql)
    row.lastIndex = BEFORE_ROW.lastIndex
    if (!row.test(sql)) return end
    end = row.lastIndex
  }
}

const ROUTINES = ['EVENT', 'FUNCTION', 'PACKAGE', 'PROC', 'PROCEDURE', 'TASK', 'TRIGGER']
const LOOPS = ['FOR', 'IF', 'LOOP', 'REPEAT', 'WHILE']

/**
 * Follows the tokens of one statement and tracks the body of a routine, because a `;` inside it does not end
 * the statement: `CREATE TRIGGER … BEGIN …; …; END;`.
 */
class RoutineNesting {
  #kind: 'unknown' | 'routine' | 'other' = 'unknown'
  #depth = 0
  #isDeclaring = false

  get isRoutine(): boolean {
    return this.#kind === 'routine'
  }

  /** True while the body has not ended. */
  get isOpen(): boolean {
    return this.#kind === 'routine' && this.#depth > 0
  }

  add(token: Token, before: Token | undefined): void {
    if (this.#kind === 'unknown') this.#kind = kindAfter(token, before)
    if (this.#kind === 'routine' && !isSymbol(before, '.')) this.#follow(token, before)
  }

  #follow(token: Token, before: Token | undefined): void {
    const isAfterEnd = isWord(before, 'END')
    if (isWord(token, 'DECLARE') && this.#depth === 0) {
      this.#isDeclaring = true
      this.#depth = 1
    } else if (isWord(token, 'BEGIN')) {
      if (!this.#isDeclaring) this.#depth++
      this.#isDeclaring = false
    } else if (isWord(token, 'END')) {
      this.#depth--
    } else if (isWord(token, 'CASE') && !isAfterEnd) {
      this.#depth++
    } else if (isWord(token, ...LOOPS) && isAfterEnd) {
      this.#depth++ // END IF closes a block that is not counted
    }
  }
}

/** Returns the kind of a statement by its beginning. */
function kindAfter(token: Token, before: Token | undefined): 'unknown' | 'routine' | 'other' {
  if (before === undefined) return isWord(token, 'ALTER', 'CREATE') ? 'unknown' : 'other'
  if (isWord(token, ...ROUTINES)) return 'routine'
  const isOther =
    isWord(token, 'AS', 'INDEX', 'ON', 'SCHEMA', 'TABLE', 'TYPE', 'VIEW') || isSymbol(token, '(')
  return isOther ? 'other' : 'unknown'
}

/**
 * The words before a CREATE that does not begin a statement, although it begins a line: GRANT CREATE TABLE TO
 * somebody.
 */
const CONTINUES = ['AS', 'DENY', 'GRANT', 'OR', 'REVOKE']

/** The maximum nesting of brackets. */
const DEEPEST = 200

/** A statement under construction. Only relevant statements keep their tokens. */
class StatementBuilder {
  readonly tokens: Token[] = []
  readonly routine = new RoutineNesting()
  first: Token | undefined
  last: Token | undefined

  readonly #isOfInterest: (first: Token) => boolean
  #depth = 0
  #deepest = 0
  #readsData = false

  readonly #isElement: boolean

  constructor(isOfInterest: (first: Token) => boolean, isElement = false) {
    this.#isOfInterest = isOfInterest
    this.#isElement = isElement
  }

  /** True if lines of data follow: `COPY … FROM stdin;`. */
  get readsData(): boolean {
    return this.#readsData
  }

  add(token: Token): void {
    this.routine.add(token, this.last)
    this.first ??= token
    this.last = token
    this.#depth += isOpening(token) ? 1 : isClosing(token) ? -1 : 0
    this.#deepest = Math.max(this.#deepest, this.#depth)
    this.#readsData ||= isWord(this.first, 'COPY') && isWord(token, 'STDIN')
    if (this.routine.isRoutine || this.isTooDeep) this.tokens.length = 0
    else if (this.#isOfInterest(this.first)) this.tokens.push(token)
  }

  /** True if a row of an INSERT may come next. */
  get expectsRow(): boolean {
    const isInsert = isWord(this.first, 'INSERT', 'REPLACE') && this.#depth === 0
    return isInsert && (isWord(this.last, 'VALUES', 'VALUE') || isSymbol(this.last, ','))
  }

  /** True if brackets are nested more deeply than in any real script. */
  get isTooDeep(): boolean {
    return this.#deepest > DEEPEST
  }

  /** True for CREATE SCHEMA and its elements: the next CREATE needs no new line. */
  get isElement(): boolean {
    return this.#isElement || (isWord(this.tokens[0], 'CREATE') && isWord(this.tokens[1], 'SCHEMA'))
  }

  /** Returns true if a token outside all brackets begins another statement without a terminator before it. */
  isEndedBy(token: Token): boolean {
    if (!this.last || this.#depth > 0 || this.routine.isRoutine) return false
    if (this.isElement && this.last !== this.first && isWord(token, 'CREATE', 'GRANT')) return true
    if (!token.startsLine) return false
    const continues = isSymbol(this.last, ',') || isWord(this.last, ...CONTINUES)
    return isWord(token, 'CREATE', 'EXEC', 'EXECUTE') && !continues
  }

  /**
   * Returns true if `ALTER TABLE`, `DROP TABLE`, `COMMENT ON` or `SET @name` has just begun on a new line; one word of
   * them may be an action or a clause.
   */
  isFollowedBy(token: Token): boolean {
    const { first, last } = this
    if (last === first || !last?.startsLine || this.#depth > 0 || this.routine.isRoutine) return false
    if (isWord(last, 'COMMENT')) return isWord(token, 'ON')
    if (isWord(last, 'SET')) return token.text.startsWith('@') // DECLARE @name … SET @name = …
    return isWord(last, 'ALTER', 'DROP') && isWord(token, 'TABLE')
  }
}

function isOpening(token: Token): boolean {
  return isSymbol(token, '(') || isSymbol(token, '[')
}

function isClosing(token: Token): boolean {
  return isSymbol(token, ')') || isSymbol(token, ']')
}

/** The beginnings of lines for the client, not for the server: psql, sqlite3, sqlcmd, SQL*Plus. */
const CLIENT_LINES = ['\\', '.', ':']

/** Lines of SQL*Plus that are prose and not tokenized: `rem it's late`. */
const REMARKS = ['PROMPT', 'REM', 'REMARK']
/** Commands of SQL*Plus end with their line: the next line is not part of them. */
const LINE_COMMANDS =
  'ACCEPT CLEAR COLUMN CONNECT DEFINE EXIT HOST PAUSE SET SHOW SPOOL START TTITLE UNDEFINE WHENEVER'.split(
    ' ',
  )

const REST_OF_GO = /[ \t]*(?:\d+[ \t]*)?\r?(?:\n|$)/y

/** One statement of a script. */
export interface Statement {
  /** Empty for an irrelevant statement. */
  readonly tokens: readonly Token[]
  /** True if another statement follows without a terminator, so they may belong together. */
  readonly isFollowed: boolean
  /** The offset at which brackets are nested too deeply. */
  readonly tooDeepAt: number | undefined
}

/**
 * Yields the statements of a script as tokens; irrelevant statements have none. A statement ends at its
 * terminator, at GO of SQL Server, or where another one begins on a new line.
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
    // a routine of SQL Server extends to the end of its batch
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
    // rows are not tokenized; the first bracket identifies the statement
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

/** @param next The last token, if it belongs to the next statement. */
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

/** Handles commands for the client of a script, and returns true if there was one. */
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
