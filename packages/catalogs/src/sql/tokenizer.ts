import type { DialectName } from '@stagecraft/spec'
import { skipGap } from './comments.ts'
import { type LexicalRules, lexicalRules } from './lexical-rules.ts'
import { type QuoteOptions, readQuoted } from './quotes.ts'
import type { Token, TokenKind } from './tokens.ts'

const WORD = /[\p{L}\p{M}\p{N}_@$]+/uy
/** SQL Server's `#temporary`, PostgreSQL's `a#b`. */
const WORD_WITH_HASH = /[\p{L}\p{M}\p{N}_@$#]+/uy
const NUMBER = /(?:0x[0-9A-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\p{L}\p{N}_])/uy
const DOLLAR_QUOTE = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy
const BRACKETED_NAME = /\[[\p{L}_@#][^[\]\n]*\]/uy
const TRIPLE_QUOTE = /"""|'''/y

/** Words that change how the text right behind them is read: escapes, national, bytes, raw, charset. */
const TEXT_PREFIX = /^(?:[enbxr]|rb|br|_[a-z0-9]+)$/i

type Place = Pick<Token, 'start' | 'startsLine'>

/**
 * Cuts SQL into tokens, one at a time, so that a dump of any size costs no more memory than the statement at hand.
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
   * The next token; undefined at the end.
   *
   * @throws {UnreadableSql} For a quote or a comment without end.
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

  /** The rules by which the text is cut. */
  get rules(): LexicalRules {
    return this.#rules
  }

  /** Goes on behind what somebody else has read. */
  skipTo(offset: number): void {
    this.#at = Math.max(this.#at, offset)
  }

  /** Skips lines up to the first one that is this, and with it. */
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
    const isPrefix = this.#sql[place.start + word.length] === "'" && TEXT_PREFIX.test(word)
    if (!isPrefix) return this.#take('word', word, place)
    this.#at += word.length
    const mark = this.#openingMark() ?? "'"
    if (/^e$/i.test(word)) return this.#quoted(place, mark, { backslash: 'escape' })
    return this.#quoted(place, mark, { raw: /^b?rb?$/i.test(word) })
  }

  /** Reads what stands in quotes, the opening one being at the current offset. */
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

  /** Returns true if a `[` opens a name and not an array or its length. */
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
