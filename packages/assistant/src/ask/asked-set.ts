import type { Comparison } from '../tools/conditions.ts'
import { type Fact, FACTS, type FactName, type ListedKind } from '../tools/facts.ts'
import { type SenseOptions, sensesOf, type Unread } from './senses.ts'
import { type Part, type Term, termsOf } from './terms.ts'

/** The set that a question asks for: one part of each group has to be met. */
export interface AskedSet {
  /** How many there are is asked for. */
  readonly isCount: boolean
  readonly kinds: readonly ListedKind[]
  /** Tables are asked for, which are those of a source if it names one. */
  readonly isOfTables: boolean
  readonly groups: readonly (readonly Part[])[]
}

/**
 * Reads words as the description of a set: kinds, and conditions that are put together. Every word has to say something, so that
 * none is passed over.
 */
export function readSet(words: readonly string[], options: SenseOptions): AskedSet | Unread {
  const said = sensesOf(words, options)
  if ('unread' in said) return said
  const terms = termsOf(said)
  return 'unread' in terms ? terms : combine(terms)
}

interface Combining {
  readonly kinds: ReadonlySet<ListedKind>
  readonly groups: readonly (readonly Part[])[]
  readonly isCount: boolean
  readonly isOfTables: boolean
  readonly link?: 'and' | 'or' | undefined
  /** The words turn what follows round: the next part, or all of them. */
  readonly turn?: 'not' | 'un' | 'except' | undefined
  /** The part before was turned round. */
  readonly wasTurned?: boolean
  /** Nothing stood between it and the next part. */
  readonly isTight?: boolean
  /** Different things are alternatives, and a kind was named before them. */
  readonly isMixed?: boolean
}

function combine(terms: readonly Term[]): AskedSet | Unread {
  let state: Combining = { kinds: new Set(), groups: [], isCount: false, isOfTables: false }
  for (const term of terms) {
    const next = withTerm(state, term)
    if (!next) return { unread: term.word }
    state = next
  }
  const { groups, isCount, isOfTables, kinds, turn, wasTurned } = state
  if (turn === 'not' || turn === 'un' || (turn === 'except' && !wasTurned)) return { unread: turn }
  return { isCount, isOfTables, kinds: [...kinds], groups }
}

function withTerm(state: Combining, term: Term): Combining | undefined {
  switch (term.is) {
    case 'count':
      return { ...state, isCount: true }
    case 'tables':
      return { ...state, isOfTables: true, isTight: false }
    case 'and':
    case 'or':
      return { ...state, link: term.is }
    case 'not':
    case 'un':
    case 'except':
      return state.turn ? undefined : { ...state, turn: term.is, isTight: false, wasTurned: false }
    case 'that':
      return { ...state, turn: undefined, isTight: false }
    case 'kind':
      return withKind(state, term.kind)
    case 'part':
    default:
      return withPart(state, term)
  }
}

/** `models used by exposures`: a second kind has to be linked to the first one. */
function withKind(state: Combining, kind: ListedKind): Combining | undefined {
  const { isMixed, kinds, link } = state
  if (isMixed && kinds.size > 0) return undefined
  if (kinds.size > 0 && !kinds.has(kind) && link === undefined) return undefined
  return { ...state, kinds: new Set([...kinds, kind]), link: undefined, isTight: false }
}

function withPart(state: Combining, term: Extract<Term, { is: 'part' }>): Combining | undefined {
  const { kind, part } = term
  if (kind !== undefined && state.kinds.size > 0 && (state.isMixed || !state.kinds.has(kind)))
    return undefined
  const kinds = kind === undefined ? state.kinds : new Set([...state.kinds, kind])
  const turn = term.isHad && state.turn === 'except' ? undefined : state.turn
  const before = state.groups.at(-1)
  const isAlike = before?.every((one) => one.fact === part.fact) ?? false
  // `not in staging or marts`: both are turned round
  const isTurned = turn !== undefined || (state.link !== undefined && isAlike && state.wasTurned === true)
  if (state.link === undefined && state.isTight && state.wasTurned) return undefined
  const groups = grouped(state, { part: isTurned ? turned(part) : part, isAlike, isTurned })
  if (!groups) return undefined
  return {
    ...state,
    kinds,
    groups,
    link: undefined,
    turn: turn === 'except' ? turn : undefined,
    wasTurned: isTurned,
    isTight: turn !== 'un',
    isMixed: state.isMixed === true || (state.link === 'or' && !isAlike && state.kinds.size > 0),
  }
}

interface Joining {
  readonly part: Part
  /** The part before is of the same fact. */
  readonly isAlike: boolean
  readonly isTurned: boolean
}

/** Puts a part beside those before it, or among their alternatives. Values that nothing can have together are alternatives. */
function grouped(
  { groups, link, wasTurned }: Combining,
  { isAlike, isTurned, part }: Joining,
): Combining['groups'] | undefined {
  const before = groups.at(-1)
  const asAlternative = (): Combining['groups'] => [...groups.slice(0, -1), [...(before ?? []), part]]
  if (!before || isTurned || wasTurned)
    return link === 'or' && before && !isAlike ? undefined : [...groups, [part]]
  const isSingle = part.fact !== undefined && isSingleValued(part.fact)
  if (link === 'or') return isAlike || (isGap(part) && before.every(isGap)) ? asAlternative() : undefined
  if (!isAlike || !isSingle) return [...groups, [part]]
  if (link === 'and') return asAlternative()
  return before.some((one) => valueOf(one) === valueOf(part)) ? groups : undefined
}

function isSingleValued(fact: FactName): boolean {
  const { isList = false, type }: Fact = FACTS[fact]
  return type === 'text' && !isList
}

const isGap = (part: Part): boolean => part.fact !== undefined && FACTS[part.fact].type !== 'text'
const valueOf = (part: Part): string => ('text' in part ? part.text : part.value)

const OPPOSITES: Readonly<Record<'=' | '!=', '=' | '!='>> = { '=': '!=', '!=': '=' }

function turned(part: Part): Part {
  if ('text' in part) return { ...part, compare: OPPOSITES[part.compare] }
  return { ...part, ...opposite(part.compare, part.value) }
}

/** More than three are not fewer than four. */
function opposite(compare: Comparison, value: string): { compare: Comparison; value: string } {
  if (compare === '>' && value === '0') return { compare: '=', value }
  if (compare === '>') return { compare: '<', value: String(Number(value) + 1) }
  if (compare === '<') return { compare: '>', value: String(Number(value) - 1) }
  return { compare: OPPOSITES[compare], value }
}
