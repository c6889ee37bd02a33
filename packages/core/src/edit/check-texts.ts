import type { Violation } from '@stagecraft/spec'
import { hasInvisible } from './clean-text.ts'
import { isHazardous } from './text-hazards.ts'
import { KNOWN_DOMAINS, UNPROVEN } from './text-words.ts'

const LONGEST = 300

type TextViolation = Omit<Violation, 'ordinal'>

/** Returns the reason why a text cannot be a description; undefined if it can. */
export function checkDescription(text: string): TextViolation | undefined {
  const isPlain = text.trim() === text && text !== '' && text.length <= LONGEST && !hasInvisible(text)
  if (isPlain && !isHazardous(text)) return undefined
  return {
    code: 'ILLEGAL_DESCRIPTION',
    expected: `one plain sentence of at most ${LONGEST} characters that states a fact, without markup, links, addresses, instructions or Jinja`,
  }
}

/** The facts that the table proves about a column. */
export interface Proof {
  /** The column is declared as a key, or part of one. */
  readonly isKey: boolean
  /** Its name is that of an identifier, and no other key is known. */
  readonly mayBeKey: boolean
  /** Its name is that of an identifier, in this table or another. */
  readonly isIdentifier: boolean
  /** The names and the comment, in lower case. */
  readonly said: string
  /** The columns that it is declared to refer to: `customers.id`, in lower case. */
  readonly parents: readonly string[]
}

/** A column of a table, after words that say that this one holds its values. */
const LINK =
  /(?:\b(?:foreign[\s_-]+key|fk|referenc(?:e|es|ed|ing)|refer(?:s|ring)?|point(?:s|ing)?|link(?:s|ed)?|join(?:s|ed)?|map(?:s|ped)?|relate(?:s|d)?|correspond(?:s|ing)?|match(?:es|ing)?|same as|equals?|identical)\b|→|->|=>)[^.;]{0,40}?(?<parent>\b[a-z_]\w+(?:\.[a-z_]\w+)+|\b[a-z_]\w+\s?\([a-z_]\w+\))/i

const KEY =
  /\b(?:primary|unique|surrogate|natural|candidate)[\s_-]+keys?\b|\b(?:always|is|are|be) unique\b|\bunique (?:for|per|across|within|among)\b|^unique\.?$|\b(?:no|never|without) duplicate/i
const IDENTIFIER = /\bforeign[\s_-]+keys?\b|\bunique[\s_-]+(?:identifier|id)s?\b|\buniquely\b/i

/** Returns a violation if a text claims a key that is not one, or an identifier without the name of one. */
export function checkClaim(
  text: string,
  { isIdentifier, isKey, mayBeKey, parents, said }: Proof,
): TextViolation | undefined {
  if (claimsParent(text, { parents, said }) || UNPROVEN.some((pattern) => claimsMore(pattern, text, said)))
    return { code: 'UNPROVEN_CLAIM', expected: 'only what the names and the comment of the warehouse say' }
  if (isKey) return undefined
  const isUnproven = (KEY.test(text) && !mayBeKey) || (IDENTIFIER.test(text) && !isIdentifier)
  if (!isUnproven) return undefined
  return { code: 'UNPROVEN_CLAIM', expected: 'no claim of a key or of uniqueness for a column without one' }
}

/** A claim may stand if the name or the comment has its word: `discontinued_at` is when something was discontinued. */
function claimsMore(pattern: RegExp, text: string, said: string): boolean {
  const match = pattern.exec(text)
  if (!match) return false
  const word = match.slice(1).find((group) => group !== undefined)
  return word === undefined || !said.includes(word.toLowerCase().slice(0, 6))
}

/** Returns true if a text names a column as the parent that neither the schema nor the comment names. */
function claimsParent(text: string, { parents, said }: Pick<Proof, 'parents' | 'said'>): boolean {
  const named = LINK.exec(text)?.groups?.['parent']?.toLowerCase()
  if (named === undefined || KNOWN_DOMAINS.test(named)) return false
  const path = (named.match(/\w+/g) ?? []).slice(-2).join('.')
  return !parents.includes(path) && !said.includes(named)
}
