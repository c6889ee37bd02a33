import { isSymbol, isWord, type Token } from '../sql/tokens.ts'
import { RoutineNesting } from './routine-nesting.ts'

/**
 * The words before a CREATE that does not begin a statement, although it begins a line: GRANT CREATE TABLE TO
 * somebody.
 */
const GOES_ON = ['AS', 'DENY', 'GRANT', 'OR', 'REVOKE']

/** The deepest nesting of brackets. */
const DEEPEST = 200

/** One statement as its tokens come in. Only a statement that is of interest keeps them. */
export class StatementBuilder {
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

  /** Lines of data follow it: `COPY … FROM stdin;`. */
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

  /** A row of an INSERT may come next. */
  get expectsRow(): boolean {
    const isInsert = isWord(this.first, 'INSERT', 'REPLACE') && this.#depth === 0
    return isInsert && (isWord(this.last, 'VALUES', 'VALUE') || isSymbol(this.last, ','))
  }

  /** Brackets stand in each other more deeply than anybody writes them. */
  get isTooDeep(): boolean {
    return this.#deepest > DEEPEST
  }

  /** It is CREATE SCHEMA, or made by one: the next CREATE needs no new line. */
  get isElement(): boolean {
    return this.#isElement || (isWord(this.tokens[0], 'CREATE') && isWord(this.tokens[1], 'SCHEMA'))
  }

  /** Returns true if a token outside all brackets begins another statement without a terminator before it. */
  isEndedBy(token: Token): boolean {
    if (!this.last || this.#depth > 0 || this.routine.isRoutine) return false
    if (this.isElement && this.last !== this.first && isWord(token, 'CREATE', 'GRANT')) return true
    if (!token.startsLine) return false
    const goesOn = isSymbol(this.last, ',') || isWord(this.last, ...GOES_ON)
    return isWord(token, 'CREATE', 'EXEC', 'EXECUTE') && !goesOn
  }

  /**
   * Returns true if `ALTER TABLE` or `DROP TABLE` has just begun on a new line; ALTER alone may be an action.
   */
  isFollowedBy(token: Token): boolean {
    const { first, last } = this
    const isVerb = last !== first && last?.startsLine && isWord(last, 'ALTER', 'DROP')
    return isVerb === true && isWord(token, 'TABLE') && this.#depth === 0 && !this.routine.isRoutine
  }
}

function isOpening(token: Token): boolean {
  return isSymbol(token, '(') || isSymbol(token, '[')
}

function isClosing(token: Token): boolean {
  return isSymbol(token, ')') || isSymbol(token, ']')
}
