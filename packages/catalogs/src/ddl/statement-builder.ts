import { isSymbol, isWord, type Token } from '../sql/tokens.ts'
import { RoutineNesting } from './routine-nesting.ts'

/** What may stand before CREATE on a new line without ending a statement: GRANT CREATE TABLE TO somebody. */
const GOES_ON = ['AS', 'DENY', 'GRANT', 'OR', 'REVOKE']

/** One statement as its tokens come in. Only a statement that is of interest keeps them. */
export class StatementBuilder {
  readonly tokens: Token[] = []
  readonly routine = new RoutineNesting()
  first: Token | undefined
  last: Token | undefined

  readonly #isOfInterest: (first: Token) => boolean
  #depth = 0
  #readsData = false

  constructor(isOfInterest: (first: Token) => boolean) {
    this.#isOfInterest = isOfInterest
  }

  /** Lines of data follow it: `COPY … FROM stdin;`. */
  get readsData(): boolean {
    return this.#readsData
  }

  add(token: Token): void {
    this.routine.add(token, this.last)
    this.first ??= token
    this.last = token
    this.#depth += isSymbol(token, '(') ? 1 : isSymbol(token, ')') ? -1 : 0
    this.#readsData ||= isWord(this.first, 'COPY') && isWord(token, 'STDIN')
    if (this.routine.isRoutine) this.tokens.length = 0
    else if (this.#isOfInterest(this.first)) this.tokens.push(token)
  }

  /** Whether a token that stands outside all brackets begins another statement although no terminator came. */
  isEndedBy(token: Token): boolean {
    if (!this.last || this.#depth > 0 || this.routine.isRoutine || !token.startsLine) return false
    const goesOn = isSymbol(this.last, ',') || isWord(this.last, ...GOES_ON)
    return isWord(token, 'CREATE', 'EXEC', 'EXECUTE') && !goesOn
  }

  /** Whether `ALTER TABLE` or `DROP TABLE` has just begun on a new line; ALTER alone may be an action. */
  isFollowedBy(token: Token): boolean {
    const { first, last } = this
    const isVerb = last !== first && last?.startsLine && isWord(last, 'ALTER', 'DROP')
    return isVerb === true && isWord(token, 'TABLE') && this.#depth === 0 && !this.routine.isRoutine
  }
}
