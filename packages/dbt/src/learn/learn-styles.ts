import { compareText, type Naming } from '@stagecraft/spec'
import { acceptBest, acceptEach, type Candidate, type Effect, isCarried, type Search } from './search.ts'

/** Returns a choice of naming rules that is read from no model. */
export function styleOf(naming: Naming, text: string): Candidate {
  return { config: { naming }, text }
}

export const SPLITTING: readonly Candidate[] = [
  styleOf({ splitting: 'never' }, 'run-together names are not split'),
  styleOf({ splitting: 'always' }, 'run-together names are split'),
]

export const CASES: readonly Candidate[] = [
  styleOf({ columns: 'lower' }, 'columns keep their names in lower case'),
  styleOf({ columns: 'keep' }, 'columns keep their names'),
  styleOf({ customFields: 'keep' }, 'custom fields keep their names'),
]

const SHORT = styleOf({ prefixWords: ['*'] }, 'names of one word begin with the entity')

const UNCHANGED: readonly Candidate[] = [
  styleOf(
    { ids: false, booleans: false, timestamps: false, dates: false },
    'keys, times, days and flags keep their names',
  ),
  styleOf({ ids: false }, 'the key of a table keeps its name'),
  styleOf({ timestamps: false }, 'timestamps keep their names'),
  styleOf({ dates: false }, 'dates keep their names'),
  styleOf({ booleans: false }, 'booleans keep their names'),
  styleOf({ patterns: { default: '{name}' } }, 'columns keep their names'),
]

/** The number of columns of a single model that show the style of its source. */
const STYLED = 5

/** Accepts the style of each source, where sources differ. */
export function acceptStyles(search: Search): Search {
  return schemasOf(search).reduce(
    (state, schema) => acceptBest(state, inSource(state, schema, [...SPLITTING, ...CASES]), isStyle),
    search,
  )
}

/**
 * Accepts a pattern of all columns, or the entity before short names, for the project or for single sources. A source has
 * fewer columns to show the more general one.
 */
export function acceptForAll(search: Search, patterns: readonly Candidate[]): Search {
  const whole = acceptBest(search, [...patterns, SHORT], isHabit)
  if (whole !== search) return whole
  return schemasOf(search).reduce(
    (state, schema) => acceptBest(state, inSource(state, schema, [SHORT, ...patterns]), isStyle),
    search,
  )
}

/** Accepts what a source leaves as it is stored, although the rest of the project changes it. */
export function learnExceptions(search: Search): Search {
  return schemasOf(search).reduce(
    (state, schema) =>
      acceptEach(state, inSource(state, schema, UNCHANGED), ({ losses, wins }) => wins >= 2 && losses === 0),
    search,
  )
}

/** The sources of a project; none if there is only one, which has nothing of its own. */
function schemasOf({ evidence: { models } }: Search): readonly string[] {
  const schemas = [...new Set(models.map(({ schema }) => schema))].toSorted(compareText)
  return schemas.length > 1 ? schemas : []
}

/** Restricts candidates to one source. */
function inSource(
  { evidence: { models } }: Search,
  schema: string,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  return candidates.map(({ concerns = () => true, config, text, ...candidate }) => ({
    ...candidate,
    config: { sources: { [schema]: { naming: config.naming ?? {} } } },
    text: `${text}, in \`${schema}\``,
    concerns: (observation) => models[observation.place]?.schema === schema && concerns(observation),
  }))
}

/** Short names mean different things, so the entity before all of them needs more evidence. */
function isHabit(effect: Effect, candidate: Candidate): boolean {
  if (candidate !== SHORT) return isCarried(effect)
  return effect.groups > 2 && effect.wins > 3 && effect.wins >= 4 * effect.losses
}

function isStyle(effect: Effect, { config }: Candidate): boolean {
  const { losses, wins } = effect
  const isShort = Object.values(config.sources ?? {}).some(({ naming }) => naming?.prefixWords !== undefined)
  if (isShort) return wins >= STYLED && wins >= 4 * losses
  return isCarried(effect) || (wins >= STYLED && wins >= STYLED * losses)
}
