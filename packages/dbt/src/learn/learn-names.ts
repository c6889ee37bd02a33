import type { Config } from '@stagecraft/spec'
import type { Evidence } from './observations.ts'
import { affixCandidates, entityCandidates, prefixCandidates } from './mine-patterns.ts'
import { endingCandidates, renameCandidates, type Template, templatesOf } from './mine-renames.ts'
import { glossaryCandidates } from './mine-words.ts'
import { acceptForAll, acceptStyles, CASES, learnExceptions, SPLITTING, styleOf } from './learn-styles.ts'
import { mergeConfig } from './merge-config.ts'
import {
  accept,
  acceptBest,
  acceptEach,
  type Candidate,
  type Effect,
  hitsOf,
  missesOf,
  nameAll,
  type Search,
  startSearch,
} from './search.ts'

/**
 * Learns how a project names columns. General rules come first, to avoid single entries: the entity, patterns and
 * prefixes, then words, then whole names. Unneeded rules are removed in the end.
 */
export function learnNames(evidence: Evidence, fixed: Config): Search {
  const start = startSearch(evidence, fixed)
  const ways = [start, acceptBest(start, CASES), acceptBest(start, SPLITTING), acceptStyles(start)]
  const [first = start, ...others] = ways.filter((way, index) => index === 0 || way !== start).map(learnRules)
  const best = others.reduce((one, other) => (isBetter(other, one) ? other : one), first)
  const pruned = prune(best)
  return learnRenames(acceptEach(learnExceptions(pruned), endingCandidates(pruned)))
}

/** The number of columns by which another style of names must win, unless it needs fewer rules. */
const CLEARLY = 2

function isBetter(other: Search, one: Search): boolean {
  const more = hitsOf(other) - hitsOf(one)
  return more > CLEARLY || (more >= 0 && other.accepted.length < one.accepted.length)
}

function learnRules(search: Search): Search {
  const steps: readonly ((state: Search) => Search)[] = [
    acceptEntity,
    (state) => acceptBest(state, SPLITTING),
    learnPatterns,
    (state) => acceptBest(state, SPLITTING),
    acceptPrefix,
    acceptPrefix,
    acceptPrefix,
    learnWords,
    acceptEntity,
    acceptEntity,
    (state) => acceptBest(state, SPLITTING),
    learnPatterns,
    learnWords,
  ]
  return steps.reduce((state, step) => step(state), search)
}

function acceptPrefix(search: Search): Search {
  return acceptBest(search, prefixCandidates(search))
}

/** Removes rules that others cover, last first. */
function prune(search: Search): Search {
  let state = search
  for (const candidate of search.accepted.toReversed()) {
    const accepted = state.accepted.filter((one) => one !== candidate)
    const learned = accepted.reduce<Config>((config, one) => mergeConfig(config, one.config), {})
    const names = nameAll(state.evidence, mergeConfig(learned, state.fixed))
    const lighter = { ...state, accepted, learned, names }
    if (hitsOf(lighter) >= hitsOf(state)) state = lighter
  }
  return state
}

/** The rule for the entity is chosen by the entities that people wrote, not by the resulting names. */
function acceptEntity(search: Search): Search {
  const [best] = entityCandidates(search)
  return best ? accept(search, best) : search
}

function learnPatterns(search: Search): Search {
  const ids = [styleOf({ ids: false }, 'the key of a table keeps its name'), ...affixCandidates(search, 'id')]
  const keyed = acceptBest(search, ids)
  const start = acceptForAll(keyed, affixCandidates(keyed, 'default'))
  const kinds = [
    (state: Search) => [
      styleOf({ booleans: false }, 'booleans keep their names'),
      ...affixCandidates(state, 'boolean'),
    ],
    (state: Search) => [
      styleOf({ timestamps: false }, 'timestamps keep their names'),
      styleOf({ timestamps: 'suffix' }, 'all timestamps end in `_at`'),
      ...affixCandidates(state, 'timestamp'),
    ],
    (state: Search) => [
      styleOf({ dates: false }, 'dates keep their names'),
      styleOf({ dates: 'suffix' }, 'all dates end in `_date`'),
      ...affixCandidates(state, 'date'),
    ],
    (state: Search) => affixCandidates(state, 'reference'),
  ]
  return kinds.reduce((state, candidates) => acceptBest(state, candidates(state)), start)
}

/** Words depend on each other, `cust_nm` on `cust` and `nm`: they are searched until nothing new is found. */
function learnWords(search: Search): Search {
  let state = search
  for (let round = 0; round < 3; round++) {
    const next = acceptEach(state, glossaryCandidates(state), isWordCarried)
    if (next.accepted.length === state.accepted.length) break
    state = next
  }
  return state
}

/** A word of a single model is accepted if two of its columns agree and none contradicts; an abbreviation, by one. */
function isWordCarried(
  { allWins, groups, losses, wins }: Effect,
  { isClear, witnesses }: Candidate,
): boolean {
  if (isClear && allWins > 0 && losses === 0) return true
  const isSeen = groups >= 2 && wins >= 2 && wins >= 5 * losses
  return isSeen || (allWins >= 2 && losses === 0 && (witnesses?.size ?? 0) > 0)
}

function learnRenames(search: Search): Search {
  const candidates = renameCandidates(search)
  const several = candidates.filter(({ witnesses }) => (witnesses?.size ?? 0) > 1)
  const state = acceptEach(search, several, ({ losses, wins }) => wins >= 2 && wins > losses)
  return acceptEach(state, singleRenames(search), ({ allWins, losses }) => allWins > 0 && losses === 0)
}

/**
 * Returns names with one table as witness, if another table has the column: it is likely named so, unless tables that
 * share columns often differ.
 */
function singleRenames(search: Search): readonly Candidate[] {
  const { evidence } = search
  const templates = templatesOf(search)
  const missed = new Set(missesOf(search).map(({ observation }) => observation.stored.toLowerCase()))
  const shared = [...templates].filter(([stored]) => missed.has(stored))
  const isDenied = (isShort: boolean): boolean =>
    isContradicted(
      shared
        .filter(([, own]) => own.some((one) => one.isShort) === isShort)
        .flatMap(([, own]) => [...Map.groupBy(own, ({ schema }) => schema).values()]),
    )
  const denied = { short: isDenied(true), long: isDenied(false) }
  const scope = new Set(evidence.models.map(({ schema }) => schema)).size > 1 ? 'source' : 'project'
  const across = scope === 'source' ? renameCandidates(search, 'project') : []
  const elsewhere = across.filter(({ config: { naming }, stored, witnesses }) => {
    if (naming === undefined || witnesses.size > 1 || !evidence.isShared(undefined, stored)) return false
    return templates.get(stored)?.some((one) => one.isShort) ? !denied.short : !denied.long
  })
  const here = renameCandidates(search, scope).filter(({ stored, witnesses: [one, ...others] }) => {
    const schema = one === undefined ? undefined : evidence.models[one]?.schema
    const isShort = templates.get(stored)?.some((one) => one.isShort)
    if (isShort ? denied.short : denied.long) return false
    return others.length === 0 && schema !== undefined && evidence.isShared(schema, stored)
  })
  return [...elsewhere, ...here]
}

/** The share of columns on whose name two tables must agree, where tables share enough columns to tell. */
const AGREE = 0.6

/** The number of columns that tables must share, and that the rules name wrongly. */
const ENOUGH = 3

/** Returns true if tables disagree on the names of most columns that they share. Each column counts once. */
function isContradicted(columns: readonly (readonly Template[])[]): boolean {
  const shares = columns.flatMap((templates) => {
    const patterns = [...new Map(templates.map((one) => [one.group, one.pattern])).values()]
    const pairs = patterns.flatMap((one, index) => patterns.slice(index + 1).map((other) => one === other))
    return pairs.length === 0 ? [] : [pairs.filter(Boolean).length / pairs.length]
  })
  const agreed = shares.reduce((sum, share) => sum + share, 0)
  return shares.length >= ENOUGH && agreed < shares.length * AGREE
}
