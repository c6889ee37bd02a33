import type { Comparison, Rank } from '../tools/conditions.ts'
import { type Fact, FACTS, type FactName, isOwnOfColumns } from '../tools/facts.ts'
import type { ListedKind } from '../tools/listed.ts'
import { type SenseOptions, sensesOf, type Unread } from './senses.ts'
import { type Part, type Term, termsOf } from './terms.ts'

/** The set that a question asks for. Items meet one part of each group. */
export interface RequestedSet {
  /** The question asks how many there are. */
  readonly isCount: boolean
  readonly kinds: readonly ListedKind[]
  /** The question asks for tables: those of a source, if it names one. */
  readonly isOfTables: boolean
  readonly groups: readonly (readonly Part[])[]
  /** @default all are asked for */
  readonly rank?: Rank | undefined
}

/**
 * Reads words as a set: kinds and conditions. Every word must be understood; no word is skipped.
 */
export function readSet(words: readonly string[], options: SenseOptions): RequestedSet | Unread {
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
  /** A negation: of the next part, or of all that follow (`except`). */
  readonly turn?: 'not' | 'un' | 'except' | undefined
  /** The part before was negated. */
  readonly wasTurned?: boolean
  /** No word stands between it and the next part. */
  readonly isTight?: boolean
  /** Alternatives of different facts follow a kind. */
  readonly isMixed?: boolean
  readonly rank?: Rank
  /** The kinds of relations whose columns are asked for. */
  readonly owners: ReadonlySet<ListedKind>
  /** An adjective follows `columns`. It can be meant of the columns or of their relation: `columns of untested models`. */
  readonly hasAdjective?: boolean
  /** The words of the part before. */
  readonly lastWord?: string
}

function combine(terms: readonly Term[]): RequestedSet | Unread {
  let state: Combining = {
    kinds: new Set(),
    owners: new Set(),
    groups: [],
    isCount: false,
    isOfTables: false,
  }
  for (const term of terms) {
    const next = withTerm(state, term)
    if (!next) return { unread: term.word }
    state = next
  }
  const { groups, isCount, isOfTables, kinds, owners, rank, turn, wasTurned } = state
  const ofKinds = [...owners].map((kind): Part => ({ fact: 'of', compare: '=', value: kind }))
  if (turn === 'not' || turn === 'un' || (turn === 'except' && !wasTurned)) return { unread: turn }
  return {
    isCount,
    isOfTables,
    kinds: [...kinds],
    groups: ofKinds.length > 0 ? [...groups, ofKinds] : groups,
    ...(rank && { rank }),
  }
}

function withTerm(state: Combining, term: Term): Combining | undefined {
  switch (term.is) {
    case 'count':
      return { ...state, isCount: true }
    case 'tables':
      return { ...state, isOfTables: true, isTight: false }
    case 'rank':
      return { ...state, rank: term.rank, isTight: false }
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
  if (isOfOwner(state, kind)) return withOwner(state, kind)
  if (kind === 'column' && !state.groups.flat().every(({ fact }) => fact && isOfColumns(fact)))
    return undefined
  if (isMixed && kinds.size > 0) return undefined
  if (kinds.size > 0 && !kinds.has(kind) && link === undefined) return undefined
  return { ...state, kinds: new Set([...kinds, kind]), link: undefined, isTight: false }
}

/** `columns of staging models`: a kind behind `columns` is that of their relation. */
function isOfOwner({ kinds, link }: Combining, kind: ListedKind | undefined): boolean {
  return kinds.has('column') && kind !== undefined && kind !== 'column' && link === undefined
}

/** Refuses what can be meant of the columns or of their relation: `columns of models without tests`. */
function withOwner(state: Combining, kind: ListedKind): Combining | undefined {
  const { hasAdjective, kinds, owners } = state
  if (hasAdjective || kinds.size > 1 || kind === 'exposure' || kind === 'macro') return undefined
  return { ...state, owners: new Set([...owners, kind]), isTight: false }
}

/**
 * Returns true for facts that columns have, or that are said of them by their place: `staging columns`. Others are facts of their
 * relation, or mean something else: `pii columns` have a tag of their own.
 */
export function isOfColumns(fact: FactName): boolean {
  return isOwnOfColumns(fact) || PLACES.has(fact)
}

/** `columns tagged pii in marts`: the tag can be that of the columns. */
function isTagOfColumn({ kinds, owners }: Combining, part: Part): boolean {
  return kinds.has('column') && owners.size === 0 && 'text' in part && part.fact === 'tag'
}

const PLACES: ReadonlySet<FactName> = new Set(['layer', 'folder', 'source', 'schema', 'of'])

function withPart(
  given: Combining,
  { kind: ownerOrKind, ...term }: Extract<Term, { is: 'part' }>,
): Combining | undefined {
  const isOwned = isOfOwner(given, ownerOrKind)
  const state = isOwned && ownerOrKind !== undefined ? withOwner(given, ownerOrKind) : given
  if (!state) return undefined
  const { part } = term
  if (isUnderNegation(state, term)) return undefined
  const kind = isOwned ? undefined : ownerOrKind
  const isOwn = state.kinds.has('column') && part.fact !== undefined && isOwnOfColumns(part.fact)
  if (isOwn && state.owners.size > 0) return undefined
  if (isTagOfColumn(state, part)) return undefined
  if (kind !== undefined && state.kinds.size > 0 && (state.isMixed || !state.kinds.has(kind)))
    return undefined
  const kinds = kind === undefined ? state.kinds : new Set([...state.kinds, kind])
  const turn = term.isHad && state.turn === 'except' ? undefined : state.turn
  const before = state.groups.at(-1)
  const isAlike = before?.every((one) => one.fact === part.fact) ?? false
  // `not in staging or marts`: both are negated
  const isTurned = turn !== undefined || (state.link !== undefined && isAlike && state.wasTurned === true)
  if (state.link === undefined && state.isTight && state.wasTurned) return undefined
  const groups = grouped(state, { part: isTurned ? turned(part) : part, isAlike, isTurned })
  if (!groups) return undefined
  return {
    ...state,
    kinds,
    groups,
    lastWord: term.word,
    hasAdjective: state.hasAdjective === true || (isOwn && !term.isHad),
    link: undefined,
    turn: turn === 'except' ? turn : undefined,
    wasTurned: isTurned,
    isTight: turn !== 'un',
    isMixed: state.isMixed === true || (state.link === 'or' && !isAlike && state.kinds.size > 0),
  }
}

interface Joining {
  readonly part: Part
  /** The part before has the same fact. */
  readonly isAlike: boolean
  readonly isTurned: boolean
}

const NEGATED = /^(?:not|nobody|no one|never|nothing|no model|does no\w*)\b/

/** `nobody documented or tested`: the negation can hold for both. */
function isUnderNegation(
  { lastWord = '', link }: Combining,
  { isHad, word }: Extract<Term, { is: 'part' }>,
): boolean {
  return (
    link !== undefined &&
    !isHad &&
    NEGATED.test(lastWord) &&
    !NEGATED.test(word) &&
    !/^un|^dead|^orphan/.test(word)
  )
}

/** Adds a part as a new group, or as an alternative of the last one. Two values of a fact with one value are alternatives. */
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
