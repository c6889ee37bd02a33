import type { Condition } from '../tools/conditions.ts'
import { FACTS, type FactName, type ListedKind } from '../tools/facts.ts'
import type { Said, Unread } from './senses.ts'
import type { Sense } from './words.ts'

/** A value that a question names with its fact or without it. */
interface OpenValue {
  readonly text: string
  /** @default that which has the value */
  readonly fact?: FactName
  readonly compare: '=' | '!='
}

/** Something that is asked of a relation. */
export type Part = Condition | OpenValue

/** What a question is put together of. */
export type Term =
  | {
      readonly is: 'part'
      readonly part: Part
      readonly kind?: ListedKind
      readonly word: string
      readonly isHad: boolean
    }
  | { readonly is: 'kind'; readonly kind: ListedKind; readonly word: string }
  | {
      readonly is: 'count' | 'tables' | 'not' | 'un' | 'except' | 'and' | 'or' | 'that'
      readonly word: string
    }

type Polarity = 'have' | 'lack' | 'miss' | 'neither'
type Compare = Extract<Sense, { says: 'compare' }>

/** What nouns that follow are held against. */
interface Reading {
  readonly terms: readonly Term[]
  /** Whether nouns are had or lacked, until another word says so. @default not said */
  readonly polarity?: Polarity | undefined
  /** It was just said, and needs a noun. */
  readonly isFresh?: boolean
  readonly compare?: Compare | undefined
  readonly number?: number | undefined
  readonly expects?: FactName | undefined
}

/** Puts words together to terms: what is had with what has it, numbers with what they count, values with what they are values of. */
export function termsOf(said: readonly Said[]): readonly Term[] | Unread {
  let reading: Reading = { terms: [] }
  for (const one of said) {
    const next = step(reading, one)
    if (!next) return { unread: one.word }
    reading = next
  }
  const isOpen = [reading.isFresh, reading.compare, reading.number, reading.expects].some(Boolean)
  return isOpen ? { unread: said.at(-1)?.word ?? '' } : reading.terms
}

function step(reading: Reading, said: Said): Reading | undefined {
  const { sense, word } = said
  switch (sense.says) {
    case 'nothing':
      return reading
    case 'have':
    case 'lack':
    case 'miss':
    case 'neither':
      return withPolarity(reading, sense.says)
    case 'compare':
      return reading.compare ? undefined : { ...reading, compare: sense }
    case 'number':
      return reading.number === undefined ? { ...reading, number: sense.number } : undefined
    case 'noun':
      return withNoun(reading, sense.fact, word)
    case 'test':
      return withTest(reading, sense.name, word)
    case 'value of':
      return withFact(reading, sense.fact, word)
    case 'value':
      return withValue(reading, said)
    case 'condition':
      return isOpen(reading) ? undefined : withPart(reading, conditionOf(sense), { word, kind: sense.kind })
    case 'kind':
      return isOpen(reading) ? undefined : plus(reading, { is: 'kind', kind: sense.kind, word })
    case 'and':
    case 'or':
      return isOpen(reading) ? undefined : plus(reading, { is: sense.says, word })
    case 'vague':
      return undefined
    case 'count':
    case 'tables':
    case 'not':
    case 'un':
    case 'except':
    case 'that':
    default:
      return isOpen(reading) ? undefined : { terms: [...reading.terms, { is: sense.says, word }] }
  }
}

const isOpen = ({ compare, expects, isFresh, number }: Reading): boolean =>
  isFresh === true || compare !== undefined || expects !== undefined || number !== undefined

function plus(reading: Reading, term: Term): Reading {
  return { ...reading, terms: [...reading.terms, term] }
}

function withPart(
  reading: Reading,
  part: Part,
  { isHad = false, kind, word }: { word: string; kind?: ListedKind | undefined; isHad?: boolean },
): Reading {
  const { polarity, terms } = reading
  return { terms: [...terms, { is: 'part', part, word, isHad, ...(kind && { kind }) }], polarity }
}

function conditionOf({ compare, fact, value }: Extract<Sense, { says: 'condition' }>): Condition {
  return { fact, compare, value }
}

/** `not` before it turns it: `do not have`, `not missing`. */
function withPolarity(reading: Reading, said: Polarity): Reading | undefined {
  if (isOpen(reading) && !(reading.isFresh && reading.polarity === 'have')) return undefined
  const last = reading.terms.at(-1)
  if (last?.is !== 'not') return { ...reading, polarity: said, isFresh: true }
  if (said === 'neither') return undefined
  return { terms: reading.terms.slice(0, -1), polarity: said === 'have' ? 'lack' : 'have', isFresh: true }
}

/** What is had or lacked, or how many of it there are. */
function withNoun(reading: Reading, fact: FactName, word: string): Reading | undefined {
  const { compare, isFresh = false, number, polarity, terms } = reading
  // `a unique test`: the noun behind the name of a test adds nothing
  if (fact === 'tests' && isNamedTest(terms.at(-1)) && !isOpen(reading)) return reading
  if (polarity === undefined || reading.expects !== undefined) return undefined
  const isCount = FACTS[fact].type === 'count'
  if (number !== undefined) {
    if (!isCount || polarity !== 'have') return undefined
    return withPart(reading, inNumbers(fact, number, compare), { word, isHad: true })
  }
  if (compare) return undefined
  const linked = linkOf(terms, { polarity, isFresh })
  if (!linked) return undefined
  const isHad = polarity === 'have'
  const part: Condition = isCount
    ? { fact, compare: isHad ? '>' : '=', value: '0' }
    : { fact, compare: '=', value: isHad ? 'yes' : 'no' }
  return withPart({ ...reading, terms: linked }, part, { word, isHad: true })
}

/**
 * The terms before a noun, with the link that is meant: `neither a nor b` lacks both. `without a or b` can mean that one or both
 * are lacking, so it is not read.
 */
function linkOf(
  terms: readonly Term[],
  { isFresh, polarity }: { readonly polarity: Polarity; readonly isFresh: boolean },
): readonly Term[] | undefined {
  const last = terms.at(-1)
  if (last?.is !== 'or' || isFresh) return terms
  if (polarity === 'neither') return [...terms.slice(0, -1), { is: 'and', word: last.word }]
  return polarity === 'lack' ? undefined : terms
}

function inNumbers(fact: FactName, number: number, said: Compare | undefined): Condition {
  const { compare = '=', isInclusive = false } = said ?? {}
  const shift = !isInclusive ? 0 : compare === '>' ? -1 : 1
  const bound = number + shift
  return bound < 0 ? { fact, compare: '>', value: '0' } : { fact, compare, value: String(bound) }
}

function isNamedTest(term: Term | undefined): boolean {
  return term?.is === 'part' && term.part.fact === 'test'
}

function withTest(reading: Reading, name: string, word: string): Reading | undefined {
  const { compare, number, polarity } = reading
  if (polarity === undefined || compare || number !== undefined || reading.expects) return undefined
  const part: Condition = { fact: 'test', compare: polarity === 'have' ? '=' : '!=', value: name }
  return withPart(reading, part, { word, isHad: true })
}

/** `tagged finance`, `the finance group`, and `without tags`. */
function withFact(reading: Reading, fact: FactName, word: string): Reading | undefined {
  const { isFresh = false, polarity, terms } = reading
  if (reading.number !== undefined || reading.compare || reading.expects) return undefined
  const last = terms.at(-1)
  if (!isFresh && last?.is === 'part' && 'text' in last.part && (last.part.fact ?? 'owner') === 'owner')
    return { ...reading, terms: [...terms.slice(0, -1), { ...last, part: { ...last.part, fact } }] }
  if (isFresh && polarity !== 'have' && fact !== 'column')
    return withPart(reading, { fact, compare: '=', value: 'none' }, { word, isHad: true })
  return { ...reading, expects: fact, isFresh: false }
}

/** A value of what was just named; in a list, of what the one before is a value of. */
function withValue(reading: Reading, { word }: Said): Reading | undefined {
  const { expects, polarity, terms } = reading
  if (expects === undefined && isOpen(reading)) return undefined
  // `tagged pii and crm`, `tagged pii but not crm`
  const before = terms.findLast(({ is }) => !LINKS.has(is))
  const isListed = before !== terms.at(-1) && before?.is === 'part' && 'text' in before.part
  const fact = expects ?? (isListed ? before.part.fact : undefined)
  const isLacked = expects === 'column' && polarity !== 'have' && polarity !== undefined
  const part: OpenValue = { text: word, compare: isLacked ? '!=' : '=', ...(fact && { fact }) }
  return withPart({ ...reading, expects: undefined }, part, { word })
}

const LINKS: ReadonlySet<Term['is']> = new Set(['and', 'or', 'not', 'that'])
