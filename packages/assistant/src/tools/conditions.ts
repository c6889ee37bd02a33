import { StagecraftError } from '@stagecraft/spec'
import { cleanText } from '../clean-text.ts'
import type { ProjectView } from '../project-view.ts'
import {
  type Fact,
  FACT_NAMES,
  type FactName,
  FACTS,
  type FactValue,
  type Listed,
  type ListedKind,
} from './facts.ts'

/** How a fact is held against a value. */
export type Comparison = '=' | '!=' | '>' | '<'

/** One thing that is asked of a relation. */
export interface Condition {
  readonly fact: FactName
  readonly compare: Comparison
  readonly value: string
}

const FORM = /^([a-z]+)(!=|=|>|<)(.+)$/

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
    return { fact: name, compare: compare as Comparison, value: value.trim() }
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
    { suggestion: 'layer=staging, tag!=pii, tests>3, description=no, layer=staging or layer=mart' },
  )
}

/** Returns the kinds that all conditions can be about. */
export function kindsOf(where: readonly (readonly Condition[])[]): readonly ListedKind[] {
  const all = where.flat().map(({ fact }): readonly ListedKind[] => FACTS[fact].kinds)
  return (['model', 'source', 'seed', 'snapshot', 'exposure', 'macro'] as const).filter((kind) =>
    all.every((kinds) => kinds.includes(kind)),
  )
}

/** Finds out facts, each of them once. */
export type FactReader = (one: Listed, fact: FactName) => FactValue

export function factReader(view: ProjectView): FactReader {
  const known = new Map<Listed, Map<FactName, FactValue>>()
  return (one, name) => {
    const facts = known.get(one) ?? new Map<FactName, FactValue>()
    known.set(one, facts)
    const fact: Fact = FACTS[name]
    if (!facts.has(name)) facts.set(name, fact.of(view, one))
    return facts.get(name)
  }
}

export interface Choice {
  readonly all: readonly Listed[]
  /** Conditions that all have to be met, each by one of its alternatives. */
  readonly where: readonly (readonly Condition[])[]
  readonly isAsked: (one: Listed) => boolean
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
export function choose(facts: FactReader, { all, isAsked, where }: Choice): Chosen {
  for (const condition of where.flat()) assertValue(facts, all, condition)
  const notes = new Set<string>()
  const items = all.filter(isAsked).filter((one) => {
    const met = where.map((alternatives) =>
      alternatives.map((condition) => isMet(facts(one, condition.fact), condition)),
    )
    if (met.some((each) => each.every((outcome) => outcome === false))) return false
    if (met.every((each) => each.includes(true))) return true
    const unknown = where
      .flat()
      .find((condition) => isMet(facts(one, condition.fact), condition) === undefined)
    notes.add(`${one.name}: its ${unknown?.fact ?? 'facts'} is not known`)
    return false
  })
  return { items, notes: [...notes] }
}

function isMet(found: FactValue, { compare, value }: Condition): boolean | undefined {
  if (found === undefined) return undefined
  if (typeof found !== 'number') {
    const isIts = value === 'none' ? found.length === 0 : found.some((own) => isSameValue(own, value))
    return isIts === (compare === '=')
  }
  const wanted = Number(value)
  if (compare === '>') return found > wanted
  return compare === '<' ? found < wanted : (found === wanted) === (compare === '=')
}

const isSameValue = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The values of a fact that a question can name. */
export function valuesOf(facts: FactReader, all: readonly Listed[], name: FactName): readonly string[] {
  const fact: Fact = FACTS[name]
  const own = all
    .filter(({ kind }) => fact.kinds.includes(kind))
    .flatMap((one) => {
      const found = facts(one, name)
      return Array.isArray(found) ? (found as readonly string[]) : []
    })
  return [...new Set([...(fact.values ?? []), ...own])]
}

function assertValue(facts: FactReader, all: readonly Listed[], { fact, value }: Condition): void {
  // columns of models that cannot be read are not known
  if (FACTS[fact].type !== 'text' || value === 'none' || fact === 'column') return
  const known = valuesOf(facts, all, fact)
  if (known.some((one) => isSameValue(one, value))) return
  throw StagecraftError.invalid({
    path: 'where',
    expected:
      known.length === 0
        ? `a ${fact} of the project, which has none`
        : `a ${fact} of the project: ${known.slice(0, 20).join(', ')}`,
    received: JSON.stringify(cleanText(value, 100)),
  })
}
