import { DIALECTS, type Dialect } from '@stagecraft/dialects'
import type { DialectName } from '@stagecraft/spec'
import { type Token, type TokenKind, UnreadableSql } from './cursor.ts'
import { resolveEscapes } from './texts.ts'

/** The rules of a dialect for strings, names and comments that the tokenizer needs. */
export interface LexicalRules {
  /** Decides if `\'` inside a string is a quote. `unknown` if no dialect is named. */
  readonly backslash: 'escape' | 'plain' | 'unknown'
  /** Decides if `[name]` is a name: always, only where it cannot be an array, or never. */
  readonly brackets: 'name' | 'maybe' | 'array'
  /** True if `/*` inside a comment opens another one. */
  readonly nestedComments: boolean
  /** True if the content of MySQL's conditional comments is read. */
  readonly conditionalComments: boolean
  /** Other markers of a line comment, besides `--`. */
  readonly lineComments: readonly string[]
  /** True if `#` at the start of a line begins a comment. */
  readonly hashStartsLine: boolean
  /** True if `"""` and `'''` enclose a string. */
  readonly tripleQuotes: boolean
  /** True if double quotes enclose a string, not a name. */
  readonly doubleQuotedText: boolean
  /** True if `q'[…]'` is a string. Only scripts without a dialect may be of Oracle. */
  readonly chosenQuotes: boolean
}

/**
 * Returns the rules of a dialect. Without a named one they are guessed, so that a wrong guess causes an error
 * rather than wrong tables: a comment that is wrongly read as nested never ends. Only dialects with backslash
 * escapes quote names in backticks (except SQLite, which accepts both).
 */
function lexicalRules(dialect: DialectName | undefined, text: string): LexicalRules {
  if (dialect !== undefined) return rulesOf(DIALECTS[dialect], text)
  const hasBackticks = text.includes('`')
  return {
    backslash: hasBackticks ? 'escape' : 'unknown',
    brackets: 'maybe',
    nestedComments: true,
    conditionalComments: /\/\*!\d{5,6}\s/.test(text),
    lineComments: [],
    hashStartsLine: true,
    tripleQuotes: hasBackticks,
    doubleQuotedText: false,
    chosenQuotes: true,
  }
}

function rulesOf({ ddl, lexing }: Dialect, text: string): LexicalRules {
  return {
    backslash: ddl.backslashEscapes ? 'escape' : 'plain',
    brackets: lexing.brackets,
    nestedComments: lexing.comments.nested,
    conditionalComments: lexing.comments.executed.length > 0,
    lineComments: lexing.comments.alsoLine,
    hashStartsLine: false,
    tripleQuotes: lexing.tripleQuotes,
    doubleQuotedText: lexing.doubleQuoted === 'text' && !ddl.namesInDoubleQuotes?.test(text),
    chosenQuotes: false,
  }
}

const BLANK = /\s*/y

/** The start of the next token, and whether it is the first on its line. */
interface Gap {
  readonly end: number
  readonly startsLine: boolean
}

/** Matches comments that MySQL and MariaDB run: `/*!50001 CREATE VIEW …`; version 99999 never comes. */
const CONDITIONAL = /\/\*(?:M!|!)(?:(?!99999)\d{5,6})?(?=\s)|\*\//y

/**
 * Skips whitespace and comments. The content of a conditional comment of MySQL is read as SQL.
 *
 * @throws {UnreadableSql} for a comment without end.
 */
function skipGap(sql: string, start: number, rules: LexicalRules): Gap {
  let at = start
  let startsLine = start === 0 || sql[start - 1] === '\n'
  for (;;) {
    BLANK.lastIndex = at
    const [blank = ''] = BLANK.exec(sql) ?? []
    startsLine ||= blank.includes('\n')
    at += blank.length
    const end = commentEnd(sql, at, rules, startsLine)
    if (end === undefined) return { end: at, startsLine }
    at = end
  }
}

function commentEnd(sql: string, at: number, rules: LexicalRules, startsLine: boolean): number | undefined {
  if (rules.conditionalComments) {
    CONDITIONAL.lastIndex = at
    const mark = CONDITIONAL.exec(sql)
    if (mark) return at + mark[0].length
  }
  if (sql.startsWith('/*', at)) return blockEnd(sql, at, rules.nestedComments)
  const isHash = sql[at] === '#' && rules.hashStartsLine && startsLine
  const isLine =
    isHash || sql.startsWith('--', at) || rules.lineComments.some((opening) => sql.startsWith(opening, at))
  if (!isLine) return undefined
  const end = sql.indexOf('\n', at)
  return end < 0 ? sql.length : end
}

function blockEnd(sql: string, start: number, nested: boolean): number {
  const mark = nested ? /\/\*|\*\//g : /\*\//g
  mark.lastIndex = start + 2
  let depth = 1
  for (let found = mark.exec(sql); found; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return mark.lastIndex
  }
  throw new UnreadableSql(start, 'a closing */', 'the end of the file')
}

interface QuoteOptions {
  /** The closing quote; doubled, it is part of the content. */
  readonly close: string
  readonly backslash: LexicalRules['backslash']
  /** True if backslashes remain, although they still prevent a quote from ending the string: BigQuery's `r'\d'`. */
  readonly raw?: boolean
}

interface Quoted {
  readonly text: string
  /** The offset after the closing quote. */
  readonly end: number
}

/**
 * Reads quoted content from the offset after the opening quote.
 *
 * @throws {UnreadableSql} if the closing quote is missing, or follows a backslash whose meaning depends on
 * the dialect.
 */
function readQuoted(sql: string, start: number, options: QuoteOptions): Quoted {
  const { close, raw = false } = options
  const end = findClose(sql, start, options)
  const content = sql.slice(start, end)
  const undoubled = close.length === 1 ? content.replaceAll(close + close, close) : content
  const text = options.backslash === 'escape' && !raw ? resolveEscapes(undoubled) : undoubled
  return { text, end: end + close.length }
}

function findClose(sql: string, start: number, { backslash, close }: QuoteOptions): number {
  let at = start
  for (;;) {
    const end = sql.indexOf(close, at)
    if (end < 0) throw new UnreadableSql(start - close.length, `a closing ${close}`, 'the end of the file')
    const isEscaped = backslash !== 'plain' && countBackslashes(sql, start, end) % 2 === 1
    if (isEscaped && backslash === 'unknown') throw ambiguous(end - 1, close)
    const isDoubled = close.length === 1 && sql[end + 1] === close
    if (!isEscaped && !isDoubled) return end
    at = end + (isEscaped ? 1 : 2)
  }
}

/** Counts the backslashes right before an offset: an odd number escapes the next character. */
function countBackslashes(sql: string, start: number, end: number): number {
  let at = end
  while (at > start && sql[at - 1] === '\\') at--
  return end - at
}

function ambiguous(offset: number, close: string): UnreadableSql {
  const expected = 'a dialect (add ?dialect=… to the catalog), because dialects read this differently'
  return new UnreadableSql(offset, expected, `\\${close}`)
}

const WORD = /[\p{L}\p{M}\p{N}_@$]+/uy
/** SQL Server's `#temporary`, PostgreSQL's `a#b`. */
const WORD_WITH_HASH = /[\p{L}\p{M}\p{N}_@$#]+/uy
const NUMBER = /(?:0x[0-9A-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\p{L}\p{N}_])/uy
const DOLLAR_QUOTE = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy
const BRACKETED_NAME = /\[[\p{L}_@#][^[\]\n]*\]/uy
const TRIPLE_QUOTE = /"""|'''/y

/** Prefixes of a string: escapes, national, bytes, raw, charset. */
const TEXT_PREFIX = /^(?:[enbxr]|rb|br|_[a-z0-9]+)$/i

/** Prefixes of a text whose quotes the writer chooses, as in Oracle: `q'[it's]'`. */
const CHOSEN_PREFIX = /^n?q$/i
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}', '<': '>' }

type Place = Pick<Token, 'start' | 'startsLine'>

/**
 * Splits SQL into tokens, one at a time, so that a dump of any size only needs memory for the current statement.
 */
export class Tokenizer {
  /** The terminator of a statement; scripts for the mysql client change it with `DELIMITER`. */
  terminator = ';'

  readonly #sql: string
  readonly #rules: LexicalRules
  #at = 0

  constructor(sql: string, dialect: DialectName | undefined) {
    this.#sql = sql
    this.#rules = lexicalRules(dialect, sql)
  }

  /**
   * Returns the next token; undefined at the end.
   *
   * @throws {UnreadableSql} for a quote or a comment without end.
   */
  next(): Token | undefined {
    const { end: start, startsLine } = skipGap(this.#sql, this.#at, this.#rules)
    this.#at = start
    if (start >= this.#sql.length) return undefined
    const place = { start, startsLine }
    if (!this.#sql.startsWith(this.terminator, start)) return this.#read(place)
    return this.#take('terminator', this.terminator, place)
  }

  /** Skips the rest of the line and returns it. */
  takeLine(): string {
    const end = this.#sql.indexOf('\n', this.#at)
    const line = this.#sql.slice(this.#at, end < 0 ? this.#sql.length : end)
    this.#at = end < 0 ? this.#sql.length : end + 1
    return line.trim()
  }

  /** The rules of the dialect. */
  get rules(): LexicalRules {
    return this.#rules
  }

  /** Continues after text that the caller has read. */
  skipTo(offset: number): void {
    this.#at = Math.max(this.#at, offset)
  }

  /** Skips lines up to and including the first one that equals `last`. */
  skipLines(last: string): void {
    for (let at = this.#sql.indexOf(last, this.#at); at >= 0; at = this.#sql.indexOf(last, at + 1)) {
      this.#at = at
      const startsLine = at === 0 || this.#sql[at - 1] === '\n'
      if (startsLine && this.takeLine() === last) return
    }
    this.#at = this.#sql.length
  }

  get atEnd(): boolean {
    return this.#at >= this.#sql.length
  }

  #read(place: Place): Token {
    const mark = this.#openingMark()
    if (mark !== undefined) return this.#quoted(place, mark)
    const number = this.#match(NUMBER)
    if (number !== undefined) return this.#take('number', number, place)
    const word = this.#matchWord()
    if (word !== undefined) return this.#wordOrText(word, place)
    const isCast = this.#sql.startsWith('::', place.start)
    const symbol = isCast ? '::' : String.fromCodePoint(this.#sql.codePointAt(place.start) ?? 0)
    return this.#take('symbol', symbol, place)
  }

  #openingMark(): string | undefined {
    const character = this.#sql.charAt(this.#at)
    if (character === '[') return this.#isName() ? '[' : undefined
    if (character === '$') return this.#match(DOLLAR_QUOTE)
    if (character === '`') return '`'
    if (character !== "'" && character !== '"') return undefined
    return (this.#rules.tripleQuotes ? this.#match(TRIPLE_QUOTE) : undefined) ?? character
  }

  #matchWord(): string | undefined {
    const word = this.#match(this.#rules.lineComments.includes('#') ? WORD : WORD_WITH_HASH)
    return word?.split(this.terminator, 1)[0] // DELIMITER $$ … END$$
  }

  #wordOrText(word: string, place: Place): Token {
    const next = this.#sql[place.start + word.length]
    const isQuote = next === "'" || (next === '"' && this.#rules.doubleQuotedText)
    const isOracles = next === "'" && this.#rules.chosenQuotes && CHOSEN_PREFIX.test(word)
    if (!isOracles && !(isQuote && TEXT_PREFIX.test(word))) return this.#take('word', word, place)
    this.#at += word.length
    if (isOracles) return this.#chosenQuote(place)
    const mark = this.#openingMark() ?? "'"
    if (/^e$/i.test(word)) return this.#quoted(place, mark, { backslash: 'escape' })
    return this.#quoted(place, mark, { raw: /^b?rb?$/i.test(word) })
  }

  /** Reads `'[it's]'` after the prefix. */
  #chosenQuote(place: Place): Token {
    const opening = this.#sql.charAt(this.#at + 1)
    const close = `${CLOSING[opening] ?? opening}'`
    const { end, text } = readQuoted(this.#sql, this.#at + 2, { close, backslash: 'plain' })
    this.#at = end
    return { kind: 'text', text, quote: "'", end, ...place }
  }

  /** Reads quoted content, with the opening quote at the current offset. */
  #quoted(place: Place, mark: string, options: Partial<QuoteOptions> = {}): Token {
    const kind = this.#kindOf(mark)
    const backslash = kind === 'text' && !mark.startsWith('$') ? this.#rules.backslash : 'plain'
    const close = mark === '[' ? ']' : mark
    const { end, text } = readQuoted(this.#sql, this.#at + mark.length, { close, backslash, ...options })
    this.#at = end
    return { kind, text, quote: mark, end, ...place }
  }

  #kindOf(mark: string): TokenKind {
    if (mark === '"') return this.#rules.doubleQuotedText ? 'text' : 'name'
    return mark === '`' || mark === '[' ? 'name' : 'text'
  }

  /** Returns true if a `[` opens a name, not an array or its length. */
  #isName(): boolean {
    const { brackets } = this.#rules
    if (brackets !== 'maybe') return brackets === 'name'
    return (
      !/[\p{L}\p{N}_\]]/u.test(this.#sql.charAt(this.#at - 1)) && this.#match(BRACKETED_NAME) !== undefined
    )
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#sql)?.[0]
  }

  #take(kind: TokenKind, text: string, place: Place): Token {
    this.#at += text.length
    return { kind, text, quote: '', end: this.#at, ...place }
  }
}

/**
 * Returns all tokens of a short text.
 *
 * @throws {UnreadableSql} for a quote or a comment without end.
 */
export function readTokens(sql: string, dialect: DialectName | undefined): readonly Token[] {
  const tokenizer = new Tokenizer(sql, dialect)
  const tokens: Token[] = []
  for (let token = tokenizer.next(); token; token = tokenizer.next()) tokens.push(token)
  return tokens
}
