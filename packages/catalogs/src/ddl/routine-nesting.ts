import { isSymbol, isWord, type Token } from '../sql/tokens.ts'

const ROUTINES = ['EVENT', 'FUNCTION', 'PACKAGE', 'PROC', 'PROCEDURE', 'TASK', 'TRIGGER']
const LOOPS = ['FOR', 'IF', 'LOOP', 'REPEAT', 'WHILE']

/**
 * Follows the tokens of one statement and knows whether it is a routine whose body goes on, so that a `;` in it does not
 * end it: `CREATE TRIGGER … BEGIN …; …; END;`.
 */
export class RoutineNesting {
  #kind: 'unknown' | 'routine' | 'other' = 'unknown'
  #depth = 0
  #isDeclaring = false

  get isRoutine(): boolean {
    return this.#kind === 'routine'
  }

  /** The body has begun and not ended. */
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
      this.#depth++ // END IF closes what is not counted
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
