import type { Violation } from '@stagecraft/spec'
import { hasInvisible } from './clean-text.ts'

const LONGEST = 300

/** Jinja, HTML, links and pictures: what a description would do something with, beside being read. */
const MARKUP = /\{[{%#]|[%#}]\}|<[a-z/!?]|\][([]|\]\]>|[a-z]:\/\/|\bwww\.|javascript:|mailto:/i

const CLAIM =
  /\b(?:primary|foreign|unique|surrogate|natural|candidate)[\s_-]+(?:key|identifier|id)s?\b|\b(?:always|is|are|be) unique\b|\buniquely\b|\b(?:no|never|without) duplicate/i

type TextViolation = Omit<Violation, 'ordinal'>

/** Says why a text cannot be a description; undefined when it can. */
export function checkDescription(text: string): TextViolation | undefined {
  const isPlain = text.trim() === text && text !== '' && !hasInvisible(text) && !MARKUP.test(text)
  if (isPlain && text.length <= LONGEST) return undefined
  return {
    code: 'ILLEGAL_DESCRIPTION',
    expected: `one plain sentence of at most ${LONGEST} characters, without markup, links or Jinja`,
  }
}

/** A claim of a key needs a key. */
export function checkClaim(text: string, isProven: boolean): TextViolation | undefined {
  if (isProven || !CLAIM.test(text)) return undefined
  return { code: 'UNPROVEN_CLAIM', expected: 'no claim of a key or of uniqueness for a column without one' }
}
