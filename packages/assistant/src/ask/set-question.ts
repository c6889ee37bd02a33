import type { ProjectView } from '../project-view.ts'
import {
  type Condition,
  COUNTED,
  factReader,
  type FactReader,
  kindsOf,
  printConditions,
  type Rank,
  valuesOf,
} from '../tools/conditions.ts'
import { FACTS, type Fact, type FactName } from '../tools/facts.ts'
import { LISTED_KINDS, type Listed, type ListedKind, listed } from '../tools/listed.ts'
import { defaultKinds, GAP_CONDITIONS } from '../tools/gaps.ts'
import { isOfRelatives } from '../tools/relatives.ts'
import { lookUp } from '../resources.ts'
import { isOfColumns, readSet } from './requested-set.ts'
import type { Unread } from './senses.ts'
import type { Part } from './terms.ts'
import { PHRASES } from './words.ts'

/** A set with the fact of each value. */
export interface KnownSet {
  readonly isCount: boolean
  readonly kinds: readonly ListedKind[]
  readonly where: readonly (readonly Condition[])[]
  /** @default all are asked for */
  readonly rank?: Rank | undefined
}

/** Facts whose values may stand alone in a question: `pii models`, `crm tables`, `in models/marts`. */
const NAMED_FACTS = ['tag', 'group', 'folder', 'source', 'owner'] as const

/** Reads words as a set of a project. Words that are not in the vocabulary must be values that the project has. */
export function readSetOf(
  view: ProjectView,
  given: readonly string[],
  isOwn?: (word: string) => boolean,
): KnownSet | Unread {
  const whole = isOwn ? undefined : yesNoOpening(given)
  if (whole !== undefined) return { unread: whole }
  const all = listed(view, true)
  const facts = factReader(view)
  const values = new Map(
    NAMED_FACTS.map((fact) => [fact, new Set(valuesOf(facts, all, fact).map((one) => one.toLowerCase()))]),
  )
  const named = withoutNouns(view, given)
  const isOfNames = named.some((word) => COLUMN_WORDS.has(word) || isRelativeVerb(word))
  const isValue = (word: string): boolean => [...values.values()].some((known) => known.has(word))
  // a tag can be meant of the columns or of their relation
  const words = isValue('pii')
    ? named
    : named.map((word, at) => (word === 'pii' && COLUMN_WORDS.has(named[at + 1] ?? '') ? 'personal' : word))
  const isRelation = (word: string): boolean =>
    isOfNames && !isValue(word) && relationNamed(view, word) !== undefined
  const set = readSet(words, { isOwn: isOwn ?? (() => false), isRelation, isValue })
  if ('unread' in set) return set
  const kinds: readonly ListedKind[] = set.isOfTables
    ? [...new Set([...set.kinds, 'source' as const])]
    : set.kinds
  const isOfSources = set.groups
    .flat()
    .some((part) => part.fact === 'of' && 'value' in part && part.value === 'source')
  const where: Condition[][] = []
  for (const group of set.groups) {
    const conditions: Condition[] = []
    for (const part of group) {
      const condition = toCondition(part, { view, all, facts, kinds, values, isOfSources })
      if ('unread' in condition) return condition
      conditions.push(condition)
    }
    where.push(conditions)
  }
  const unowned = unownedIn(kinds, where.flat())
  if (unowned) return { unread: printCondition(unowned) }
  const isOfSource = set.kinds.includes('source') || where.flat().some(({ fact }) => fact === 'source')
  if (set.isOfTables && !isOfSource) return { unread: 'tables' }
  if (hasSeveralRelatives(words, where)) return { unread: 'and' }
  return assertKinds({ isCount: set.isCount, kinds, where, rank: set.rank })
}

/** Returns a condition that columns cannot meet unless the kind of their relations is named. */
function unownedIn(kinds: readonly ListedKind[], conditions: readonly Condition[]): Condition | undefined {
  const hasOwner = conditions.some(
    ({ fact, value }) => fact === 'of' && LISTED_KINDS.some((kind) => kind === value),
  )
  if (!kinds.includes('column') || hasOwner) return undefined
  return conditions.find(({ fact }) => !isOfColumns(fact))
}

/** Words behind the verb of a question whose answer is a list: `are there`, `do we have`, `is any`. */
const LISTS = new Set(['there', 'we', 'you', 'any', 'some', 'i', '‹name›'])

/**
 * Returns the opening of a question that a list does not answer: `are all marts tested?`, `do staging models have
 * tests?`.
 */
function yesNoOpening(words: readonly string[]): string | undefined {
  const [verb = '', next = ''] = words
  const isYesOrNo = ['is', 'are', 'do', 'does', 'has', 'have'].includes(verb)
  return isYesOrNo && next !== '' && !LISTS.has(next) ? `${verb} ${next}` : undefined
}

/** Words of phrases before the name of a relative. */
const RELATIVE_WORDS = new Set(
  [...PHRASES].flatMap(([phrase, sense]) =>
    sense.says === 'value of' && isOfRelatives(sense.fact) ? phrase.split(' ').slice(0, 1) : [],
  ),
)
const isRelativeVerb = (word: string): boolean => RELATIVE_WORDS.has(word)

/** Leaves out the nouns of names: `depend on the model fct_orders`. */
function withoutNouns(view: ProjectView, words: readonly string[]): readonly string[] {
  if (!words.some(isRelativeVerb)) return words
  return words.filter((word, at) => {
    const next = words[at + 1]
    return !NOUNS_OF_NAMES.has(word) || next === undefined || relativeNamed(view, next) === undefined
  })
}

const NOUNS_OF_NAMES = new Set(['model', 'source', 'table', 'seed', 'snapshot', 'exposure', 'dashboard'])

/** The id that a word names: of a relation, or `source.shop` of all tables of a source. */
function relativeNamed(view: ProjectView, word: string): string | undefined {
  const found = lookUp(view, word)
  if (found) return found.column === undefined ? found.node.id : undefined
  const source = view.project.index.sources.find(({ name }) => name.toLowerCase() === word)
  return source && `source.${source.name}`
}

const COLUMN_WORDS = new Set(['column', 'columns', 'col', 'cols', 'field', 'fields'])

/** The id of a relation that a word names. */
function relationNamed(view: ProjectView, word: string): string | undefined {
  const found = lookUp(view, word)
  return found?.column === undefined && found?.node.kind !== 'exposure' ? found?.node.id : undefined
}

interface Values {
  readonly view: ProjectView
  readonly all: readonly Listed[]
  readonly facts: FactReader
  readonly kinds: readonly ListedKind[]
  /** The columns of source tables are asked for. */
  readonly isOfSources: boolean
  readonly values: ReadonlyMap<FactName, ReadonlySet<string>>
}

/** Returns the condition of a value; the value is unread if no fact or several facts have it. */
function toCondition(
  part: Part,
  { all, facts: reader, isOfSources, kinds, values, view }: Values,
): Condition | Unread {
  if (!('text' in part)) return part
  const { compare, text } = part
  if (isOfRelatives(part.fact)) return relativeCondition(view, part, kinds)
  if (part.fact === 'of') return { fact: 'of', compare, value: relationNamed(view, text) ?? text }
  const has = (fact: FactName): boolean =>
    values.get(fact)?.has(text) ??
    valuesOf(reader, all, fact === 'name' ? 'column' : fact).some((one) => one.toLowerCase() === text)
  const fits = (fact: FactName): boolean => kinds.every((kind) => (FACTS[fact] as Fact).kinds.includes(kind))
  const found = NAMED_FACTS.filter(has)
  // the name of a source is one, where its tables are asked for
  const isSource = found.includes('source') && (isOfSources || (kinds.length === 1 && kinds[0] === 'source'))
  const facts = part.fact ? [part.fact] : isSource ? ['source' as const] : found
  const [fact] = facts
  if (part.fact && part.fact !== 'column' && !has(part.fact))
    return { unread: text, known: knownOf(part.fact, all, reader) }
  if (fact === undefined || facts.length > 1 || !has(fact) || !fits(fact)) return { unread: text }
  return { fact, compare, value: text }
}

/** Exposures use what they show, directly or not; anything else reads what it names. */
function relativeCondition(
  view: ProjectView,
  { compare, fact = 'reads', text }: Exclude<Part, Condition>,
  kinds: readonly ListedKind[],
): Condition | Unread {
  const isKind = FACTS.downstream.kinds.some((kind) => kind === text) || text === 'exposure'
  const value = isKind ? text : relativeNamed(view, text)
  if (value === undefined) return { unread: text }
  const isOfExposures = kinds.length === 1 && kinds[0] === 'exposure'
  if (fact === 'reads' && isOfExposures) return { fact: 'upstream', compare, value }
  return { fact: fact === 'readby' && value === 'exposure' ? 'downstream' : fact, compare, value }
}

function knownOf(fact: FactName, all: readonly Listed[], facts: FactReader): NonNullable<Unread['known']> {
  const unknown = all.filter(
    (one) => (FACTS[fact] as Fact).kinds.includes(one.kind) && facts(one, fact) === undefined,
  )
  return { fact, values: valuesOf(facts, all, fact), unknown: unknown.map(({ name }) => name) }
}

function assertKinds(set: KnownSet): KnownSet | Unread {
  const possible = kindsOf(set.where)
  const other = set.kinds.find((kind) => !possible.includes(kind))
  if (other !== undefined) return { unread: `${other}s` }
  return possible.length === 0 ? { unread: set.where.map(printConditions).join(' and ') } : set
}

/** Returns true if a set has no conditions. */
export function isWhole({ kinds, rank, where }: KnownSet): boolean {
  return kinds.length === 0 && where.length === 0 && rank === undefined
}

/** Returns the input of `list_gaps` for a set. */
export function inputOf({ kinds, rank, where }: KnownSet): object {
  const gaps = Object.entries(GAP_CONDITIONS).map(([gap, one]) => [gap, printConditions([one])] as const)
  const printed = where.map(printConditions)
  const [gap, text] = gaps.find(([, one]) => printed.includes(one)) ?? []
  const others = printed.filter((one) => one !== text)
  return {
    ...(gap !== undefined && { gap }),
    ...(kinds.length > 0 && { kinds: [...kinds] }),
    ...(others.length > 0 && { where: others }),
    ...(rank && { rank: `${rank.order} ${rank.fact}` }),
  }
}

/** Prints a set as it was understood. */
export function printSet({ kinds, rank, where }: KnownSet): string {
  const asked = kinds.length > 0 ? kinds : defaultKinds(where, rank)
  const named = asked.map((kind) => (kind === 'source' ? 'source tables' : `${kind}s`)).join(', ')
  const isOfRelation = (group: readonly Condition[]): boolean => group.every(({ fact }) => fact === 'of')
  const said = where
    .filter((group) => !isOfRelation(group))
    .map((alternatives) => alternatives.map(printCondition).join(' or '))
  const scopes = where.filter(isOfRelation).map((group) => group.map(printCondition).join(' or '))
  const scope = scopes.length > 0 ? scopes.join(', and ') : 'of the whole project'
  const ranked = rank ? [...said, `${rank.order} ${COUNTED[rank.fact] ?? rank.fact}`] : said
  return ranked.length === 0 && scopes.length === 0
    ? `all ${named}`
    : `${ranked.join(', and ')}${ranked.length > 0 ? ': ' : ''}${named} ${scope}`
}

function printCondition(condition: Condition): string {
  const [gap] =
    Object.entries(GAP_CONDITIONS).find(
      ([, one]) => printConditions([one]) === printConditions([condition]),
    ) ?? []
  if (gap !== undefined) return gap
  const { compare, fact, value } = condition
  if (fact === 'of')
    return `${compare === '=' ? '' : 'not '}of ${value.includes('.') ? value : value === 'source' ? 'source tables' : `${value}s`}`
  const verb = RELATIVE_VERBS[fact]
  if (verb !== undefined) return `${compare === '=' ? '' : 'not '}${verb} ${value}`
  const { type }: Fact = FACTS[fact]
  if (type === 'flag')
    return `${(value === 'yes') === (compare === '=') ? 'with' : 'without'} ${COUNTED[fact] ?? fact}`
  if (type === 'count')
    return compare === '>' && value === '0'
      ? `with ${COUNTED[fact] ?? fact}`
      : `${NUMBERS[compare]} ${value} ${COUNTED[fact] ?? fact}`
  return `${compare === '=' ? '' : 'not '}${fact} ${value}`
}

/** `downstream of a and b` can mean both, or one of them: `of both a and b`, `of a or b` and `not of a or b` say it. */
function hasSeveralRelatives(words: readonly string[], where: readonly (readonly Condition[])[]): boolean {
  const asked = where.flatMap(([first]) => (first && isOfRelatives(first.fact) ? [first] : []))
  const isUnclear = ({ compare }: Condition): boolean => !words.includes(compare === '=' ? 'both' : 'or')
  const unclear = asked.filter(isUnclear).map(({ compare, fact }) => `${fact}${compare}`)
  return new Set(unclear).size < unclear.length
}

const RELATIVE_VERBS: Readonly<Partial<Record<FactName, string>>> = {
  reads: 'reading',
  upstream: 'made from',
  readby: 'read by',
  downstream: 'upstream of',
}

const NUMBERS: Readonly<Record<Condition['compare'], string>> = {
  '=': 'exactly',
  '!=': 'not exactly',
  '>': 'more than',
  '<': 'fewer than',
}
