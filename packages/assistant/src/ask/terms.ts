import type { Condition, Order, Rank } from '../tools/conditions.ts'
import { FACTS, type FactName } from '../tools/facts.ts'
import type { ListedKind } from '../tools/listed.ts'
import { isOfRelatives } from '../tools/relatives.ts'
import type { Said, Unread } from './senses.ts'
import type { Sense } from './words.ts'

/** A value in a question, with or without its fact. */
interface OpenValue {
  readonly text: string
  /** @default the fact that has the value */
  readonly fact?: FactName
  readonly compare: '=' | '!='
}

/** Something that is asked of a relation. */
export type Part = Condition | OpenValue

/** A part of a question. */
export type Term =
  | {
      readonly is: 'part'
      readonly part: Part
      readonly kind?: ListedKind
      readonly word: string
      readonly isHad: boolean
    }
  | { readonly is: 'kind'; readonly kind: ListedKind; readonly word: string }
  | { readonly is: 'rank'; readonly rank: Rank; readonly word: string }
  | {
      readonly is: 'count' | 'tables' | 'not' | 'un' | 'except' | 'and' | 'or' | 'that'
      readonly word: string
    }

type Polarity = 'have' | 'lack' | 'miss' | 'neither'
type Compare = Extract<Sense, { says: 'compare' }>

/** The state of the reading: what the next noun is compared with. */
interface Reading {
  readonly terms: readonly Term[]
  /** Says if nouns are had or lacked, until another word changes it. @default unknown */
  readonly polarity?: Polarity | undefined
  /** It was just said, and needs a noun. */
  readonly isFresh?: boolean
  readonly compare?: Compare | undefined
  readonly number?: number | undefined
  readonly expects?: FactName | undefined
  /** Most or fewest of what the next noun counts. */
  readonly order?: Order | undefined
}

/** Combines words into terms: verbs with nouns, numbers with what they count, facts with their values. */
export function termsOf(said: readonly Said[]): readonly Term[] | Unread {
  const [first] = said
  // it goes on with another question: `and the marts?`
  if (first?.sense.says === 'and' || first?.sense.says === 'or') return { unread: first.word }
  let reading: Reading = { terms: [] }
  for (const one of said) {
    const next = step(reading, one)
    if (!next) return { unread: one.word }
    reading = next
  }
  return isOpen(withoutLastHave(reading)) ? { unread: said.at(-1)?.word ?? '' } : reading.terms
}

/** The verb at the end of `which undocumented columns does it have`, `which tables does crm have` says nothing more. */
function withoutLastHave(reading: Reading): Reading {
  const { polarity, terms } = reading
  const isOfParts = terms.some(
    (term) =>
      term.is === 'tables' || (term.is === 'kind' && (term.kind === 'column' || term.kind === 'source')),
  )
  return isOfParts && polarity === 'have' ? { ...reading, isFresh: false } : reading
}

function step(reading: Reading, said: Said): Reading | undefined {
  const { sense, word } = said
  switch (sense.says) {
    case 'nothing':
      return reading
    case 'back':
      return reading.terms.some((term) => canBeMeant(term, sense.isToOne)) ? reading : undefined
    case 'have':
    case 'lack':
    case 'miss':
    case 'neither':
      return withPolarity(reading, sense.says)
    case 'compare':
      return reading.compare ? undefined : { ...reading, compare: sense }
    case 'number':
      return reading.number === undefined && reading.order === undefined
        ? { ...reading, number: sense.number }
        : undefined
    case 'rank':
      return withOrder(reading, sense, word)
    case 'columns':
      return withColumns(reading, sense, word)
    case 'noun':
      return withNoun(reading, sense.fact, word)
    case 'test':
      return withTest(reading, sense.name, word)
    case 'value of':
      return withFact(reading, sense.fact, word)
    case 'value':
      return withValue(reading, word, sense.fact)
    case 'condition':
      return reading.order === undefined
        ? withCondition(reading, sense, word)
        : withRanked(reading, sense, word)
    case 'kind':
      return withKind(reading, sense.kind, word)
    case 'and':
    case 'or':
      return isOpen(reading) ? undefined : plus(reading, { is: sense.says, word })
    case 'vague':
      return undefined
    case 'tables':
      return isRelative(reading.terms.at(-1)) ? reading : linked(reading, 'tables', word)
    case 'count':
    case 'not':
    case 'un':
    case 'except':
    case 'that':
    default:
      return linked(reading, sense.says, word)
  }
}

/** A word between parts: what was had or lacked before does not hold behind it. */
function linked(
  reading: Reading,
  says: 'count' | 'tables' | 'not' | 'un' | 'except' | 'that',
  word: string,
): Reading | undefined {
  return isOpen(reading) ? undefined : { terms: [...reading.terms, { is: says, word }] }
}

/** `depend on a seed`: the kind is that of a relative. */
function withKind(reading: Reading, kind: ListedKind, word: string): Reading | undefined {
  if (isOfRelatives(reading.expects) && (reading.number !== undefined || reading.compare))
    return withCountOf(reading, kind, word)
  if (isOfRelatives(reading.expects)) return withValue(reading, kind, undefined)
  return isOpen(reading) ? undefined : plus(reading, { is: 'kind', kind, word })
}

/** The numbers of direct relatives of one kind. */
const RELATIVE_COUNTS: Readonly<Record<string, FactName>> = {
  'readby model': 'modelreaders',
  'readby exposure': 'exposurereaders',
  'reads model': 'modelparents',
  'reads source': 'sourceparents',
}

/** `read by more than one model`. */
function withCountOf(reading: Reading, kind: ListedKind, word: string): Reading | undefined {
  const { compare, expects = '', number } = reading
  const fact = RELATIVE_COUNTS[`${expects} ${kind}`]
  // `more than one source` can be meant of tables, or of the systems that they come from
  const isVague = kind === 'source' && !word.includes('table')
  if (fact === undefined || number === undefined || isVague) return undefined
  return withPart({ ...reading, expects: undefined }, inNumbers(fact, number, compare), { word })
}

/** Returns true for a term that a pronoun behind it can stand for: `it` for a named relation, `them` for a kind. */
function canBeMeant(term: Term, isToOne: boolean): boolean {
  if (term.is === 'kind') return !isToOne && term.kind !== 'column'
  return term.is === 'part' && (term.part.fact === 'of' || (!isToOne && term.kind !== undefined))
}

const isOpen = ({ compare, expects, isFresh, number, order }: Reading): boolean =>
  isFresh === true || [compare, expects, number, order].some((one) => one !== undefined)

function withCondition(
  reading: Reading,
  sense: Extract<Sense, { says: 'condition' }>,
  word: string,
): Reading | undefined {
  return isOpen(reading) ? undefined : withPart(reading, conditionOf(sense), { word, kind: sense.kind })
}

/** `the most tests`, `with the fewest columns`. */
function withOrder(
  reading: Reading,
  { fact, order }: Extract<Sense, { says: 'rank' }>,
  word: string,
): Reading | undefined {
  const { compare, expects, isFresh, number, polarity, terms } = reading
  const isTaken = [compare, expects, number, reading.order].some((one) => one !== undefined)
  if (isTaken || (isFresh === true && polarity !== 'have') || terms.some(({ is }) => is === 'rank'))
    return undefined
  return fact === undefined
    ? { ...reading, order }
    : plus(reading, { is: 'rank', rank: { order, fact }, word })
}

/** Reads an adjective as the number that is ranked: `most used`, `least tested`. */
function withRanked(
  reading: Reading,
  { compare, fact, value }: Extract<Sense, { says: 'condition' }>,
  word: string,
): Reading | undefined {
  const { isFresh, order, terms } = reading
  if (order === undefined || isFresh === true || compare !== '>' || value !== '0') return undefined
  return { terms: [...terms, { is: 'rank', rank: { order, fact }, word }] }
}

/** Reads columns as the kind, or their number: `undocumented columns`, `with more than 10 columns`. */
function withColumns(
  reading: Reading,
  { fact, gap }: Extract<Sense, { says: 'columns' }>,
  word: string,
): Reading | undefined {
  const isOfGap = gap !== undefined && reading.isFresh === true
  if (reading.number !== undefined || reading.order !== undefined || isOfGap)
    return withNoun(reading, fact, word)
  if (isOpen(reading)) return undefined
  // the condition first: `untested or undocumented columns`
  return plus(gap ? withPart(reading, gap, { word }) : reading, { is: 'kind', kind: 'column', word })
}

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

/** Reads a verb; `not` before it negates it: `do not have`, `not missing`. */
function withPolarity(reading: Reading, said: Polarity): Reading | undefined {
  // `neither have a nor b`
  if (said === 'have' && reading.isFresh === true && reading.polarity === 'neither') return reading
  if (isOpen(reading) && !(reading.isFresh && reading.polarity === 'have')) return undefined
  const last = reading.terms.at(-1)
  if (last?.is !== 'not') return { ...reading, polarity: said, isFresh: true }
  if (said === 'neither') return undefined
  return { terms: reading.terms.slice(0, -1), polarity: said === 'have' ? 'lack' : 'have', isFresh: true }
}

/** Reads what is had or lacked, or the number of it. */
function withNoun(reading: Reading, fact: FactName, word: string): Reading | undefined {
  const { compare, isFresh = false, number, polarity, terms } = reading
  // `a unique test`: the noun behind the name of a test adds nothing
  if (fact === 'tests' && isNamedTest(terms.at(-1)) && !isOpen(reading)) return reading
  const isCount = FACTS[fact].type === 'count'
  if (reading.order !== undefined) {
    if (!isCount || reading.compare) return undefined
    return { terms: [...terms, { is: 'rank', rank: { order: reading.order, fact }, word }] }
  }
  if (polarity === undefined || reading.expects !== undefined) return undefined
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
  const isOwner = last?.is === 'part' && 'text' in last.part && !isOfRelatives(fact)
  if (!isFresh && isOwner && (last.part.fact ?? 'owner') === 'owner')
    return { ...reading, terms: [...terms.slice(0, -1), { ...last, part: { ...last.part, fact } }] }
  if (isFresh && polarity !== 'have' && fact !== 'column')
    return withPart(reading, { fact, compare: '=', value: 'none' }, { word, isHad: true })
  return { ...reading, expects: fact, isFresh: false }
}

/** `read stripe tables`: the noun behind the name adds nothing. */
function isRelative(term: Term | undefined): boolean {
  return term?.is === 'part' && isOfRelatives(term.part.fact)
}

/** Reads a value of the fact just named; in a list, of the same fact as the value before. */
function withValue(reading: Reading, word: string, known: FactName | undefined): Reading | undefined {
  const { expects, polarity, terms } = reading
  if (expects === undefined && isOpen(reading)) return undefined
  // `tagged pii and crm`, `tagged pii but not crm`
  const before = terms.findLast(({ is }) => !LINKS.has(is))
  const isListed = before !== terms.at(-1) && before?.is === 'part' && 'text' in before.part
  const listed = isListed ? before.part.fact : undefined
  const fact = isOfRelatives(expects ?? listed) ? (expects ?? listed) : (known ?? expects ?? listed)
  const isLacked = expects === 'column' && polarity !== 'have' && polarity !== undefined
  const part: OpenValue = { text: word, compare: isLacked ? '!=' : '=', ...(fact && { fact }) }
  return withPart({ ...reading, expects: undefined }, part, { word })
}

const LINKS: ReadonlySet<Term['is']> = new Set(['and', 'or', 'not', 'that'])
