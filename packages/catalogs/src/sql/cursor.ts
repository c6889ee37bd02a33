/** An error for SQL that cannot be read, with its offset and the expected and the actual token. */
export class UnreadableSql extends Error {
  readonly offset: number
  readonly expected: string
  readonly received: string

  constructor(offset: number, expected: string, received: string) {
    super(`expected ${expected}, got ${received}`)
    this.name = 'UnreadableSql'
    this.offset = offset
    this.expected = expected
    this.received = received
  }
}

/** Returns the result of the work; undefined if it throws `UnreadableSql`. */
export function unlessUnreadable<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof UnreadableSql) return undefined
    throw error
  }
}

/**
 * - `word`: a keyword or an unquoted name, as written
 * - `name`: a quoted name, without the quotes
 * - `text`: a quoted text, without the quotes and with its escapes resolved
 * - `number`: digits, as written; a sign is a separate symbol
 * - `symbol`: one character of punctuation, or `::`
 * - `terminator`: the end of a statement
 */
export type TokenKind = 'word' | 'name' | 'text' | 'number' | 'symbol' | 'terminator'

/** A piece of SQL, with its place in the text. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
  /** The opening quote of a name or text; empty for other tokens. */
  readonly quote: string
  readonly start: number
  readonly end: number
  /** True if the token is the first on its line. */
  readonly startsLine: boolean
}

/** Returns true if a token is one of the words, which are given in upper case. */
export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toUpperCase())
}

export function isSymbol(token: Token | undefined, symbol: string): boolean {
  return token?.kind === 'symbol' && token.text === symbol
}

/** Returns lines like `lineAt`, fast for increasing offsets. */
export function lineCounter(text: string): (offset: number) => number {
  let [at, line] = [0, 1]
  return (offset) => {
    if (offset < at) [at, line] = [0, 1]
    for (let end = text.indexOf('\n', at); end >= 0 && end < offset; end = text.indexOf('\n', at)) {
      at = end + 1
      line++
    }
    return line
  }
}

const ANGLED_TYPES = ['ARRAY', 'MAP', 'RANGE', 'STRUCT', 'UNIONTYPE']

/** A position in a list of tokens, which moves forward as tokens are read. */
export class Cursor {
  readonly #tokens: readonly Token[]
  readonly #end: number
  #at: number

  constructor(tokens: readonly Token[], start = 0, end: number = tokens.length) {
    this.#tokens = tokens
    this.#at = start
    this.#end = end
  }

  get done(): boolean {
    return this.#at >= this.#end
  }

  /** The end offset of the last token that was passed. */
  get lastEnd(): number {
    return this.#tokens[this.#at - 1]?.end ?? 0
  }

  /** The number of tokens that were passed. */
  get position(): number {
    return this.#at
  }

  /** Returns the remaining tokens. */
  rest(): readonly Token[] {
    return this.#tokens.slice(this.#at, this.#end)
  }

  /** Returns a cursor over some of the next tokens. */
  first(count: number): Cursor {
    return new Cursor(this.#tokens, this.#at, Math.min(this.#at + count, this.#end))
  }

  /** Returns an independent cursor at the same position. */
  copy(): Cursor {
    return new Cursor(this.#tokens, this.#at, this.#end)
  }

  /** Returns the next token, or the one that comes some tokens later. */
  peek(ahead = 0): Token | undefined {
    const at = this.#at + ahead
    return at < this.#end ? this.#tokens[at] : undefined
  }

  next(): Token | undefined {
    const token = this.peek()
    if (token) this.#at++
    return token
  }

  /** Returns true if the words, given in upper case, come next in this order. */
  at(...words: readonly string[]): boolean {
    return words.every((word, index) => isWord(this.peek(index), word))
  }

  /** Returns true if the symbol comes next, or the given number of tokens later. */
  atSymbol(symbol: string, ahead = 0): boolean {
    return isSymbol(this.peek(ahead), symbol)
  }

  /** Skips the words if they come next. */
  skip(...words: readonly string[]): boolean {
    const found = this.at(...words)
    if (found) this.#at += words.length
    return found
  }

  /** Moves forward until the words come next; returns false if the rest does not contain them. */
  skipTo(...words: readonly string[]): boolean {
    while (!this.done && !this.at(...words)) this.#at++
    return !this.done
  }

  skipSymbol(symbol: string): boolean {
    const found = this.atSymbol(symbol)
    if (found) this.#at++
    return found
  }

  /** Returns the next token if it is of one of the kinds. */
  take(...kinds: readonly Token['kind'][]): Token | undefined {
    const token = this.peek()
    return token && kinds.includes(token.kind) ? this.next() : undefined
  }

  /** Skips a group in brackets if it comes next, and returns a cursor over its content. */
  takeGroup(open = '(', close = ')'): Cursor | undefined {
    if (!this.atSymbol(open)) return undefined
    const start = this.#at + 1
    let depth = 0
    for (let at = this.#at; at < this.#end; at++) {
      depth += isSymbol(this.#tokens[at], open) ? 1 : isSymbol(this.#tokens[at], close) ? -1 : 0
      if (depth > 0) continue
      this.#at = at + 1
      return new Cursor(this.#tokens, start, at)
    }
    throw new UnreadableSql(this.peek()?.start ?? 0, `a closing ${close}`, 'the end of the statement')
  }

  /** Returns cursors over the parts between commas, except commas in brackets. */
  splitByComma(): readonly Cursor[] {
    const parts: Cursor[] = []
    let depth = 0
    let angles = 0
    let start = this.#at
    for (let at = this.#at; at < this.#end; at++) {
      const token = this.#tokens[at]
      if (token?.kind !== 'symbol') continue
      depth += '([{'.includes(token.text) ? 1 : ')]}'.includes(token.text) ? -1 : 0
      angles += this.#angle(at, angles)
      if (token.text !== ',' || depth > 0 || angles > 0) continue
      parts.push(new Cursor(this.#tokens, start, at))
      start = at + 1
    }
    return start < this.#end ? [...parts, new Cursor(this.#tokens, start, this.#end)] : parts
  }

  /** Returns 1 if a token opens the brackets of a type and -1 if it closes them; `<` may also be a comparison. */
  #angle(at: number, open: number): number {
    if (isSymbol(this.#tokens[at], '<')) return isWord(this.#tokens[at - 1], ...ANGLED_TYPES) ? 1 : 0
    return isSymbol(this.#tokens[at], '>') && open > 0 ? -1 : 0
  }
}
