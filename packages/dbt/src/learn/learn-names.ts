import type { Config, Naming } from '@stagecraft/spec'
import type { Evidence } from './observations.ts'
import { affixCandidates, entityCandidates, prefixCandidates } from './mine-patterns.ts'
import { endingCandidates, glossaryCandidates, renameCandidates } from './mine-words.ts'
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
 * Learns how a project names columns. General rules come first, so that what a rule says needs no entry of its own: the
 * entity, patterns and prefixes, then words, then whole names. What turns out not to be needed is taken out again.
 */
export function learnNames(evidence: Evidence, fixed: Config): Search {
  const start = startSearch(evidence, fixed)
  const ways = [start, acceptBest(start, CASES), acceptBest(start, SPLITTING)]
  const [first = start, ...others] = ways.filter((way, index) => index === 0 || way !== start).map(learnRules)
  const best = others.reduce((one, other) => (hitsOf(other) > hitsOf(one) + CLEARLY ? other : one), first)
  const pruned = prune(best)
  return learnRenames(acceptEach(pruned, endingCandidates(pruned)))
}

/** The columns by which another way to write names must win. */
const CLEARLY = 2

function learnRules(search: Search): Search {
  const steps: readonly ((state: Search) => Search)[] = [
    acceptEntity,
    learnPatterns,
    acceptPrefix,
    acceptPrefix,
    acceptPrefix,
    learnWords,
    acceptEntity,
    acceptEntity,
    learnPatterns,
    learnWords,
  ]
  return steps.reduce((state, step) => step(state), search)
}

function acceptPrefix(search: Search): Search {
  return acceptBest(search, prefixCandidates(search))
}

/** Takes out what the other rules say as well, the last first. */
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

const naming = (rules: Naming): Config => ({ naming: rules })

const CASES: readonly Candidate[] = [
  { config: naming({ columns: 'lower' }), text: 'columns keep their names in lower case' },
  { config: naming({ columns: 'keep' }), text: 'columns keep their names' },
]

const SPLITTING: readonly Candidate[] = [
  { config: naming({ splitting: 'never' }), text: 'run-together names stay together' },
  { config: naming({ splitting: 'always' }), text: 'run-together names are split' },
]

/** The rule that tells the entity is chosen by the entities that people wrote, not by the names it leads to. */
function acceptEntity(search: Search): Search {
  const [best] = entityCandidates(search)
  return best ? accept(search, best) : search
}

function learnPatterns(search: Search): Search {
  const kinds = [
    (state: Search) => [
      { config: naming({ ids: false }), text: "the table's own `id` keeps its name" },
      ...affixCandidates(state, 'id'),
    ],
    (state: Search) => affixCandidates(state, 'default'),
    (state: Search) => [
      { config: naming({ booleans: false }), text: 'booleans keep their names' },
      ...affixCandidates(state, 'boolean'),
    ],
    (state: Search) => [
      { config: naming({ timestamps: false }), text: 'times keep their names' },
      { config: naming({ timestamps: 'suffix' }), text: 'all times end in `_at`' },
      ...affixCandidates(state, 'timestamp'),
    ],
    (state: Search) => [
      { config: naming({ dates: false }), text: 'days keep their names' },
      { config: naming({ dates: 'suffix' }), text: 'all days end in `_date`' },
      ...affixCandidates(state, 'date'),
    ],
    (state: Search) => affixCandidates(state, 'reference'),
  ]
  return kinds.reduce((state, candidates) => acceptBest(state, candidates(state)), search)
}

/** Words depend on each other, `cust_nm` on `cust` and `nm`: looked for again until nothing new is found. */
function learnWords(search: Search): Search {
  let state = search
  for (let round = 0; round < 3; round++) {
    const next = acceptEach(state, glossaryCandidates(state), isWordCarried)
    if (next.accepted.length === state.accepted.length) break
    state = next
  }
  return state
}

/** A word that only one model has is taken where two of its columns agree and no other one contradicts. */
function isWordCarried({ allWins, groups, losses, wins }: Effect, { witnesses }: Candidate): boolean {
  const isSeen = groups >= 2 && wins >= 2 && wins >= 5 * losses
  return isSeen || (allWins >= 2 && losses === 0 && (witnesses?.size ?? 0) > 0)
}

function learnRenames(search: Search): Search {
  const candidates = renameCandidates(search)
  const several = candidates.filter(({ witnesses }) => (witnesses?.size ?? 0) > 1)
  const state = acceptEach(search, several, ({ losses, wins }) => wins >= 2 && wins > losses)
  if (!oneWitnessIsEnough(search)) return state
  const single = candidates.filter(({ witnesses }) => witnesses?.size === 1)
  return acceptEach(state, single, ({ allWins, losses }) => allWins > 0 && losses === 0)
}

/** The share of names that must agree between two tables before one table is believed alone. */
const AGREE = 0.6

/** The pairs of tables that must have a column in common that the rules name wrongly. */
const ENOUGH = 5

/**
 * Says whether one table tells how another one names a column: measured on the columns that several tables have and that
 * the rules name otherwise than people do.
 */
function oneWitnessIsEnough(search: Search): boolean {
  const missed = new Set(missesOf(search).map(({ observation }) => observation.stored.toLowerCase()))
  const shared = search.evidence.observations.filter(({ stored }) => missed.has(stored.toLowerCase()))
  const pairs = [...Map.groupBy(shared, ({ stored }) => stored.toLowerCase()).values()].flatMap((same) => {
    const groups = [...new Map(same.map((one) => [one.group, one.given])).values()]
    return groups.flatMap((given, index) => groups.slice(index + 1).map((other) => given === other))
  })
  return pairs.length >= ENOUGH && pairs.filter(Boolean).length >= pairs.length * AGREE
}
