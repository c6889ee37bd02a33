import type { ProjectView } from '../project-view.ts'
import {
  type Condition,
  factReader,
  type FactReader,
  kindsOf,
  printConditions,
  valuesOf,
} from '../tools/conditions.ts'
import { FACTS, type Fact, type FactName, type Listed, type ListedKind, listed } from '../tools/facts.ts'
import { defaultKinds, GAP_CONDITIONS } from '../tools/gaps.ts'
import { readSet } from './asked-set.ts'
import type { Unread } from './senses.ts'
import type { Part } from './terms.ts'

/** A set that is asked for, with the facts of all its values. */
export interface KnownSet {
  readonly isCount: boolean
  readonly kinds: readonly ListedKind[]
  readonly where: readonly (readonly Condition[])[]
}

/** Facts whose values may stand alone in a question: `pii models`, `crm tables`, `in models/marts`. */
const NAMED_FACTS = ['tag', 'group', 'folder', 'source', 'owner'] as const

/** Reads words as a set of a project: words that are no vocabulary have to be values that the project has. */
export function readSetOf(
  view: ProjectView,
  words: readonly string[],
  isOwn?: (word: string) => boolean,
): KnownSet | Unread {
  const whole = isOwn ? undefined : askedOfAll(words)
  if (whole !== undefined) return { unread: whole }
  const all = listed(view, true)
  const facts = factReader(view)
  const values = new Map(
    NAMED_FACTS.map((fact) => [fact, new Set(valuesOf(facts, all, fact).map((one) => one.toLowerCase()))]),
  )
  const isValue = (word: string): boolean => [...values.values()].some((known) => known.has(word))
  const set = readSet(words, { isOwn: isOwn ?? (() => false), isValue })
  if ('unread' in set) return set
  const kinds: readonly ListedKind[] = set.isOfTables
    ? [...new Set([...set.kinds, 'source' as const])]
    : set.kinds
  const where: Condition[][] = []
  for (const group of set.groups) {
    const conditions: Condition[] = []
    for (const part of group) {
      const condition = toCondition(part, { all, facts, kinds, values })
      if ('unread' in condition) return condition
      conditions.push(condition)
    }
    where.push(conditions)
  }
  const isOfSource = set.kinds.includes('source') || where.flat().some(({ fact }) => fact === 'source')
  if (set.isOfTables && !isOfSource) return { unread: 'tables' }
  return assertKinds({ isCount: set.isCount, kinds, where })
}

/** Words behind the verb of a question whose answer is a list: `are there`, `do we have`, `is any`. */
const LISTS = new Set(['there', 'we', 'you', 'any', 'some', 'i', '‹name›'])

/** Finds the opening of a question that a list does not answer: `are all marts tested?`, `do staging models have tests?`. */
function askedOfAll(words: readonly string[]): string | undefined {
  const [verb = '', next = ''] = words
  const isYesOrNo = ['is', 'are', 'do', 'does', 'has', 'have'].includes(verb)
  return isYesOrNo && next !== '' && !LISTS.has(next) ? `${verb} ${next}` : undefined
}

interface Values {
  readonly all: readonly Listed[]
  readonly facts: FactReader
  readonly kinds: readonly ListedKind[]
  readonly values: ReadonlyMap<FactName, ReadonlySet<string>>
}

/** The condition of a value; the value is unread where no fact has it, or several have. */
function toCondition(part: Part, { all, facts: reader, kinds, values }: Values): Condition | Unread {
  if (!('text' in part)) return part
  const { compare, text } = part
  const has = (fact: FactName): boolean =>
    values.get(fact)?.has(text) ?? valuesOf(reader, all, fact).some((one) => one.toLowerCase() === text)
  const fits = (fact: FactName): boolean => kinds.every((kind) => (FACTS[fact] as Fact).kinds.includes(kind))
  const found = NAMED_FACTS.filter(has)
  // the name of a source is one, where its tables are asked for
  const isSource = found.includes('source') && kinds.length === 1 && kinds[0] === 'source'
  const facts = part.fact ? [part.fact] : isSource ? ['source' as const] : found
  const [fact] = facts
  if (part.fact && part.fact !== 'column' && !has(part.fact))
    return { unread: text, known: { fact: part.fact, values: valuesOf(reader, all, part.fact) } }
  if (fact === undefined || facts.length > 1 || !has(fact) || !fits(fact)) return { unread: text }
  return { fact, compare, value: text }
}

function assertKinds(set: KnownSet): KnownSet | Unread {
  const possible = kindsOf(set.where)
  const other = set.kinds.find((kind) => !possible.includes(kind))
  if (other !== undefined) return { unread: `${other}s` }
  return possible.length === 0 ? { unread: set.where.map(printConditions).join(' and ') } : set
}

/** Returns true if a set leaves nothing out. */
export function isWhole({ kinds, where }: KnownSet): boolean {
  return kinds.length === 0 && where.length === 0
}

/** The input of `list_gaps` for a set. */
export function inputOf({ kinds, where }: KnownSet): object {
  const gaps = Object.entries(GAP_CONDITIONS).map(([gap, one]) => [gap, printConditions([one])] as const)
  const printed = where.map(printConditions)
  const [gap, text] = gaps.find(([, one]) => printed.includes(one)) ?? []
  const others = printed.filter((one) => one !== text)
  return {
    ...(gap !== undefined && { gap }),
    ...(kinds.length > 0 && { kinds: [...kinds] }),
    ...(others.length > 0 && { where: others }),
  }
}

/** Repeats a set as it was understood. */
export function saySet({ kinds, where }: KnownSet): string {
  const asked = kinds.length > 0 ? kinds : defaultKinds(where)
  const named = asked.map((kind) => (kind === 'source' ? 'source tables' : `${kind}s`)).join(', ')
  const said = where.map((alternatives) => alternatives.map(sayCondition).join(' or '))
  return said.length === 0 ? `all ${named}` : `${said.join(', and ')}: ${named} of the whole project`
}

function sayCondition(condition: Condition): string {
  const [gap] =
    Object.entries(GAP_CONDITIONS).find(
      ([, one]) => printConditions([one]) === printConditions([condition]),
    ) ?? []
  if (gap !== undefined) return gap
  const { compare, fact, value } = condition
  const { type }: Fact = FACTS[fact]
  if (type === 'flag') return `${(value === 'yes') === (compare === '=') ? 'with' : 'without'} ${fact}`
  if (type === 'count')
    return compare === '>' && value === '0' ? `with ${fact}` : `${NUMBERS[compare]} ${value} ${fact}`
  return `${compare === '=' ? '' : 'not '}${fact} ${value}`
}

const NUMBERS: Readonly<Record<Condition['compare'], string>> = {
  '=': 'exactly',
  '!=': 'not exactly',
  '>': 'more than',
  '<': 'fewer than',
}
