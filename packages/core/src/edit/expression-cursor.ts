import { DATE_PARTS } from '@stagecraft/dialects'
import type { ExpressionToken } from './expression-tokens.ts'
import type { ExpressionTree } from './expression-tree.ts'
import type { ExpressionVocabulary } from './expression-vocabulary.ts'

export const FOREIGN_COLUMN =
  'an expression may only read columns of its own table, by their stored names, without a qualifier, and in quotes if the name is reserved'
const FOREIGN_TYPE = 'an expression may only cast to scalar types that the dialect lists'
export const FOREIGN_SHAPE =
  'an expression must be one scalar value made of columns, literals, operators, case, casts and function calls'
export const FOREIGN_TEXT = 'an expression may not read the current time'

/**
 * The deepest nesting of brackets and `case`, which is more than people write. Parsers recurse, and backtrack
 * at each level.
 */
const DEEPEST = 8

/** Each nested cast triples the time of the MySQL grammar. */
const DEEPEST_CASTS = 3

/**
 * Each interval doubles the number of times that most grammars of node-sql-parser read the whole expression.
 */
const MOST_INTERVALS = 3

const TOO_DEEP = `an expression may be nested ${DEEPEST} deep, casts ${DEEPEST_CASTS} deep, and have ${MOST_INTERVALS} intervals at most`

const MODIFIER = `(?:\\s+(?:precision|varying))?`
const ZONE = `(?:\\s+with(?:out)?\\s+time\\s+zone)?`
const ARGUMENT = `(?:\\d+|'[A-Za-z_/]+')`
const PLAIN_TYPE = `[A-Za-z_]\\w*${MODIFIER}(?:\\s*\\(\\s*${ARGUMENT}(?:\\s*,\\s*${ARGUMENT})*\\s*\\))?${ZONE}`
const TYPE = new RegExp(`(?:nullable|lowcardinality)\\(${PLAIN_TYPE}\\)|${PLAIN_TYPE}`, 'iy')

/** Ends the reading of an expression; its message is the fault. */
export class ReadFault extends Error {}

/** The pieces of an expression, read one after another. */
export class ExpressionCursor {
  readonly vocabulary: ExpressionVocabulary
  readonly #expression: string
  readonly #tokens: readonly ExpressionToken[]
  #index = 0
  #depth = 0
  #casts = 0
  #intervals = 0

  constructor(expression: string, tokens: readonly ExpressionToken[], vocabulary: ExpressionVocabulary) {
    this.#expression = expression
    this.#tokens = tokens
    this.vocabulary = vocabulary
  }

  nested(read: () => ExpressionTree): ExpressionTree {
    this.#depth += 1
    if (this.#depth > DEEPEST) throw new ReadFault(TOO_DEEP)
    const tree = read()
    this.#depth -= 1
    return tree
  }

  isPart(token: ExpressionToken | undefined): boolean {
    return token?.kind === 'word' && DATE_PARTS.has(token.value.toLowerCase())
  }

  isWord(word: string): boolean {
    const token = this.peek()
    return token?.kind === 'word' && token.value.toLowerCase() === word
  }

  isSign(signs: ReadonlySet<string>): boolean {
    const token = this.peek()
    return token?.kind === 'sign' && signs.has(token.value)
  }

  accept(word: string): boolean {
    const isThere = this.isWord(word)
    if (isThere) this.#index += 1
    return isThere
  }

  expect(sign: string): void {
    const token = this.next()
    if (token?.kind !== 'sign' || token.value !== sign) throw new ReadFault(FOREIGN_SHAPE)
  }

  /** Returns the piece `offset` positions after the next one. */
  peek(offset = 0): ExpressionToken | undefined {
    return this.#tokens[this.#index + offset]
  }

  next(): ExpressionToken | undefined {
    const token = this.peek()
    this.#index += 1
    return token
  }

  /** Reads a type from the text, because parsers normalize types. */
  readType(): string {
    TYPE.lastIndex = this.peek()?.start ?? this.#expression.length
    const type = TYPE.exec(this.#expression)?.[0]
    if (type === undefined || !this.vocabulary.isType(type)) throw new ReadFault(FOREIGN_TYPE)
    while (this.#index < this.#tokens.length && (this.peek()?.start ?? 0) < TYPE.lastIndex) this.#index += 1
    return type
  }

  countInterval(): void {
    this.#intervals += 1
    if (this.#intervals > MOST_INTERVALS) throw new ReadFault(TOO_DEEP)
  }

  inCast<Value>(read: () => Value): Value {
    this.#casts += 1
    if (this.#casts > DEEPEST_CASTS) throw new ReadFault(TOO_DEEP)
    const value = read()
    this.#casts -= 1
    return value
  }
}
