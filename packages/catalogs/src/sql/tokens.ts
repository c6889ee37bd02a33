/**
 * - `word`: a keyword or an unquoted name, as written
 * - `name`: a name in quotes, without them
 * - `text`: a text in quotes, without them and with its escapes resolved
 * - `number`: digits, as written; a sign is a symbol of its own
 * - `symbol`: one character of punctuation, or `::`
 * - `terminator`: the end of a statement
 */
export type TokenKind = 'word' | 'name' | 'text' | 'number' | 'symbol' | 'terminator'

/** A piece of SQL, with its place in the text. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
  /** The quote that a name or text stood in; empty for all else. */
  readonly quote: string
  readonly start: number
  readonly end: number
  /** It is the first on its line. */
  readonly startsLine: boolean
}

/** Returns true if a token is one of the words, which are given in upper case. */
export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toUpperCase())
}

export function isSymbol(token: Token | undefined, symbol: string): boolean {
  return token?.kind === 'symbol' && token.text === symbol
}

/** Tells lines as `lineAt` does, quickly for offsets that grow. */
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
