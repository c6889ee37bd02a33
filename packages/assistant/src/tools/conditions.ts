import { StagecraftError } from '@stagecraft/spec'
import { cleanText } from '../clean-text.ts'
import type { ProjectView } from '../project-view.ts'
import {
  type Fact,
  FACT_NAMES,
  type FactName,
  factOf,
  FACTS,
  type FactValue,
  isOwnOfColumns,
} from './facts.ts'
import { type Listed, LISTED_KINDS, type ListedKind } from './listed.ts'
import { isOfRelatives, namesOf, UNKNOWN_RELATIVES } from './relatives.ts'

/** The comparison of a fact with a value. */
export type Comparison = '=' | '!=' | '>' | '<'

/** One thing that is asked of a relation. */
export interface Condition {
  readonly fact: FactName
  readonly compare: Comparison
  readonly value: string
}

/** The end of the order of a number that is asked for. */
export type Order = 'most' | 'fewest'

/** `most tests`: the ones with the highest number, which may be several. */
export interface Rank {
  readonly order: Order
  readonly fact: FactName
}

const FORM = /^([a-z]+)\s*(!=|>=|<=|=|>|<)\s*(.+)$/

/** Comparisons of whole numbers that say the same with a neighbour of the number. */
const INCLUSIVE: Readonly<Record<string, { readonly compare: Comparison; readonly by: number }>> = {
  '>=': { compare: '>', by: -1 },
  '<=': { compare: '<', by: 1 },
}

/** Prints alternatives as a client writes them: `layer=staging or layer=intermediate`. */
export function printConditions(alternatives: readonly Condition[]): string {
  return alternatives.map(({ compare, fact, value }) => `${fact}${compare}${value}`).join(' or ')
}

/**
 * Reads alternatives that a client wrote.
 *
 * @throws {StagecraftError} INVALID_REQUEST for one that is no condition.
 */
export function readConditions(text: string): readonly Condition[] {
  return text.split(' or ').map((one) => {
    const [, fact = '', compare = '=', value = ''] = FORM.exec(one.trim()) ?? []
    const name = FACT_NAMES.find((known) => known === fact)
    if (name === undefined || !fits(FACTS[name], compare, value)) throw noCondition(one)
    const inclusive = INCLUSIVE[compare]
    return inclusive
      ? { fact: name, compare: inclusive.compare, value: String(Number(value) + inclusive.by) }
      : { fact: name, compare: compare as Comparison, value: value.trim() }
  })
}

function fits({ type }: Fact, compare: string, value: string): boolean {
  if (type === 'count') return /^\d{1,6}$/.test(value)
  return (compare === '=' || compare === '!=') && (type === 'text' || value === 'yes' || value === 'no')
}

function noCondition(text: string): StagecraftError {
  return StagecraftError.invalid(
    {
      path: 'where',
      expected: `a fact and its value: ${FACT_NAMES.join(', ')}`,
      received: JSON.stringify(cleanText(text, 100)),
    },
    {
      suggestion:
        'layer=staging, tag!=pii, description=no, layer=staging or layer=mart; numbers take =, !=, >, >=, < and <=: tests>=3',
    },
  )
}

/** Returns the kinds that all conditions can be about. Columns are of a relation that can have what is asked of it. */
export function kindsOf(where: readonly (readonly Condition[])[]): readonly ListedKind[] {
  const all = where.flat().map(({ fact }): readonly ListedKind[] => FACTS[fact].kinds)
  const possible = LISTED_KINDS.filter((kind) => all.every((kinds) => kinds.includes(kind)))
  const ofOwner = all.filter((kinds) => kinds.some((kind) => kind !== 'column'))
  const hasOwner = LISTED_KINDS.some(
    (kind) => kind !== 'column' && ofOwner.every((kinds) => kinds.includes(kind)),
  )
  return hasOwner ? possible : []
}

/** Finds out facts, each of them once. */
export type FactReader = (one: Listed, fact: FactName) => FactValue

export function factReader(view: ProjectView): FactReader {
  const known = new Map<Listed, Map<FactName, FactValue>>()
  return (one, name) => {
    const facts = known.get(one) ?? new Map<FactName, FactValue>()
    known.set(one, facts)
    if (!facts.has(name)) facts.set(name, factOf(view, one, name))
    return facts.get(name)
  }
}

export interface Choice {
  readonly all: readonly Listed[]
  /** Conditions that all have to be met, each by one of its alternatives. */
  readonly where: readonly (readonly Condition[])[]
  readonly isAsked: (one: Listed) => boolean
  /** @default all that meet the conditions */
  readonly rank?: Rank | undefined
}

export interface Chosen {
  readonly items: readonly Listed[]
  readonly notes: readonly string[]
}

/**
 * Chooses those that meet all conditions. One of which that is not known is left out, and noted.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a value that nothing in the project has.
 */
export function choose(facts: FactReader, choice: Choice): Chosen {
  for (const condition of choice.where.flat()) assertValue(facts, choice.all, condition)
  return chosen(facts, choice)
}

/** Chooses as `choose` does, and takes values that nothing has. */
export function chosen(facts: FactReader, { all, isAsked, rank, where }: Choice): Chosen {
  const notes = new Set<string>()
  const canMeet = ({ column, kind }: Listed): boolean =>
    where
      .flat()
      .every(
        ({ fact }) =>
          (FACTS[fact] as Fact).kinds.includes(column?.owner.kind ?? kind) ||
          fact === 'of' ||
          fact === 'name',
      )
  const items = all
    .filter((one) => isAsked(one) && canMeet(one))
    .filter((one) => {
      const met = where.map((alternatives) =>
        alternatives.map((condition) => isMet(facts(one, condition.fact), condition)),
      )
      if (met.some((each) => each.every((outcome) => outcome === false))) return false
      if (met.every((each) => each.includes(true))) return true
      const unknown = where
        .flat()
        .find((condition) => isMet(facts(one, condition.fact), condition) === undefined)
      const ofColumns = one.column && isOwnOfColumns(unknown?.fact)
      notes.add(
        ofColumns
          ? `${one.column?.owner.name}: the ${unknownFact(unknown?.fact)} not known for some or all of its columns`
          : `${one.name}: its ${unknownFact(unknown?.fact)} not known`,
      )
      return false
    })
  const ranked = rank ? first(facts, items, rank) : { items, notes: [] }
  return { items: ranked.items, notes: [...notes, ...ranked.notes] }
}

/** The first of an order; those of which the number is not known are noted. */
function first(facts: FactReader, items: readonly Listed[], { fact, order }: Rank): Chosen {
  const counts = items.map((one) => facts(one, fact))
  const known = counts.filter((count) => typeof count === 'number')
  const best = order === 'most' ? Math.max(...known) : Math.min(...known)
  const unknown = items.filter((_, at) => counts[at] === undefined)
  return {
    items: items.filter((_, at) => counts[at] === best),
    notes: unknown.map(
      ({ name }) => `${name} is left out: the number of its ${COUNTED[fact] ?? fact} is not known`,
    ),
  }
}

function unknownFact(fact: FactName | undefined): string {
  const noun = fact === undefined ? 'facts' : fact === 'column' ? 'columns' : (COUNTED[fact] ?? fact)
  return /[^s]s$/.test(noun) ? `${noun} are` : `${noun} is`
}

/** Numbers whose names do not say all that is counted. */
export const COUNTED: Readonly<Partial<Record<FactName, string>>> = {
  undocumented: 'undocumented columns',
  untested: 'untested columns',
  modelreaders: 'models that read it',
  modelsdownstream: 'downstream models',
  exposurereaders: 'exposures that show it',
  modelparents: 'models that it reads',
  sourceparents: 'source tables that it reads',
  primarykey: 'tested primary key',
  uniquekey: 'unique_key',
  personal: 'personal data',
}

function isMet(found: FactValue, { compare, value }: Condition): boolean | undefined {
  if (found === undefined) return undefined
  if (typeof found !== 'number') {
    const isIts = value === 'none' ? found.length === 0 : found.some((own) => isSameValue(own, value))
    if (!isIts && found.includes(UNKNOWN_RELATIVES)) return undefined
    return isIts === (compare === '=')
  }
  const wanted = Number(value)
  if (compare === '>') return found > wanted
  return compare === '<' ? found < wanted : (found === wanted) === (compare === '=')
}

const isSameValue = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Returns the values of a fact that a question can name. */
export function valuesOf(facts: FactReader, all: readonly Listed[], name: FactName): readonly string[] {
  if (isOfRelatives(name)) {
    const relations = all.filter(({ kind }) => kind !== 'macro' && kind !== 'column' && kind !== 'test')
    return namesOf(relations.map(({ id }) => id))
  }
  const fact: Fact = FACTS[name]
  const own = all
    // the columns of a relation may not be known
    .filter(
      ({ kind }) =>
        fact.kinds.includes(kind) || (name === 'of' && FACTS.columns.kinds.some((one) => one === kind)),
    )
    .flatMap((one) => {
      const found = facts(one, name)
      return Array.isArray(found) ? (found as readonly string[]) : []
    })
  return [...new Set([...(fact.values ?? []), ...own])]
}

function assertValue(facts: FactReader, all: readonly Listed[], { fact, value }: Condition): void {
  // columns of models that cannot be read are not known
  if (FACTS[fact].type !== 'text' || value === 'none' || fact === 'column' || fact === 'name') return
  const known = valuesOf(facts, all, fact)
  if (known.some((one) => isSameValue(one, value))) return
  throw StagecraftError.invalid({
    path: 'where',
    expected:
      known.length === 0
        ? `a ${fact} of the project, which has none`
        : `a ${fact === 'of' ? 'relation or kind' : fact} of the project: ${known.slice(0, 20).join(', ')}`,
    received: JSON.stringify(cleanText(value, 100)),
  })
}
