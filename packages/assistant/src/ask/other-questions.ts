import type { ProjectView } from '../project-view.ts'
import { factReader, valuesOf } from '../tools/conditions.ts'
import type { FactName } from '../tools/facts.ts'
import { listGaps } from '../tools/gaps.ts'
import { getLineage } from '../tools/lineage.ts'
import { listed } from '../tools/listed.ts'
import type { Item } from '../tool.ts'
import type { Name } from './names.ts'
import { forms } from './intent.ts'

/** The parts of an answer that its question decides. */
export interface OtherAnswer {
  /** The question as understood. */
  readonly readAs: string
  readonly tool: string
  /** The input of the tool; a list of inputs for several names. */
  readonly input: object
  /** The other fields of the tool's result: the resource, the meaning, counts. `count` answers "how many". */
  readonly head: Readonly<Record<string, unknown>>
  /** The noun of the count, singular or plural. */
  readonly counted: string
  readonly items: readonly Item[]
  /** Gaps in what is known, with their reasons. */
  readonly notes: readonly string[]
}

/** Facts whose values are listed by themselves. */
const LISTED_FACTS: readonly (readonly [fact: FactName, noun: string])[] = [
  ['tag', 'tags'],
  ['owner', 'owners'],
  ['group', 'groups'],
]

/** Answers `which tags are there` with the values, and the relations that have them as proof. */
export async function askValues(view: ProjectView, form: string): Promise<OtherAnswer | undefined> {
  const [fact, noun] = LISTED_FACTS.find(([, plural]) => valuesForm(plural).test(form)) ?? []
  if (fact === undefined || noun === undefined) return undefined
  const input = { where: [`${fact}!=none`] }
  const { items, notes = [] } = await listGaps.all(view, input)
  return {
    readAs: `all ${noun} of the project, and the relations that have them`,
    tool: listGaps.name,
    input,
    head: { [noun]: valuesOf(factReader(view), listed(view, false), fact) },
    counted: items.length === 1 ? 'relation' : 'relations',
    items,
    notes,
  }
}

function valuesForm(noun: string): RegExp {
  const openings = 'who are|show me|show|give me|list|find|what are|which|what|all|the|our|different'
  const end = 'are there|exist|do we have|do we use|do models have|are used|are in use|are defined'
  return new RegExp(
    `^(?:(?:${openings}) )*${noun}(?: (?:${end}))?(?: (?:of (?:all )?(?:the |our )?models|in (?:the|this|our) project))?$`,
  )
}

const TESTED_WITH = '(unique|not_null|accepted_values|relationships)'

/** Questions for tests; each group of the form is the value of a fact. */
const TEST_FORMS: readonly { readonly form: RegExp; readonly facts: readonly FactName[] }[] = [
  {
    form: testForm(
      'tests (?:have|has|with|of|at|are of|are set to) (?:a |the )?severity (?:of |level )?(?:is )?(error|warn)',
      'tests (?:that |which )?(?:only )?(error|warn)(?: only)?',
      'tests (?:are )?set to (error|warn)',
      '(error|warn)(?:ing)? tests',
      '(error|warn)(?: |-)severity tests',
    ),
    facts: ['severity'],
  },
  {
    form: testForm(
      `${TESTED_WITH} tests (?:have|has|with|of|at|are of) (?:a |the )?severity (?:of )?(error|warn)`,
    ),
    facts: ['test', 'severity'],
  },
  {
    form: testForm(
      '(?:foreign key |relationships? )tests (?:are )?(?:that )?(?:to|against|point to|points to|pointing to|pointing at|point at|reference|referencing) ‹name›',
      '(?:tests )?(?:are |of )?relationships to ‹name›',
    ),
    facts: [],
  },
  { form: testForm('tests'), facts: [] },
  // `the unique tests` can be meant of all different tests
  { form: testForm(`${TESTED_WITH.replace('unique|', '')} tests`), facts: ['test'] },
]

function testForm(...texts: readonly string[]): RegExp {
  const openings =
    'how many|number of|count of|count|list|show me|show|give me|find|what are|what is|which|what|all|every|the|our|data|of'
  const end = 'are there|exist|do we have|have we|does (?:this|the) project have|in (?:the|this|our) project'
  return new RegExp(`^(?:(?:${openings}) )*(?:${texts.join('|')})(?: (?:${end}))?$`)
}

/** Answers questions for tests by their severity, their name, or the relation that they hold a column against. */
export async function askTests(
  view: ProjectView,
  form: string,
  names: readonly Name[],
): Promise<OtherAnswer | undefined> {
  const asked = TEST_FORMS.flatMap(({ facts, form: pattern }) => {
    const found = pattern.exec(form)
    return found ? [{ facts, values: found.slice(1).filter((value) => value !== undefined) }] : []
  })[0]
  const [name, ...others] = names
  if (!asked || others.length > 0 || (name && (!name.found || name.found.column !== undefined)))
    return undefined
  const where = [
    ...asked.facts.map((fact, at) => `${fact}=${asked.values[at] ?? ''}`),
    ...(name ? ['test=relationships', `reads=${name.id}`] : []),
  ]
  const input = { kinds: ['test'], where }
  const { items, notes = [] } = await listGaps.all(view, input)
  return {
    readAs: `data tests of the whole project${where.length === 0 ? '' : ` with ${where.join(' and ')}`}`,
    tool: listGaps.name,
    input,
    head: /^(?:the )?(?:how many|number of|count)\b/.test(form) ? { count: items.length } : {},
    counted: items.length === 1 ? 'test' : 'tests',
    items,
    notes,
  }
}

/** `does ‹name› depend on ‹name›`; the first one is that which is made from the other. */
const IS_MADE_FROM = forms(
  '(do|does|is|are) ‹name› (directly or indirectly )?(indirectly )?(depend on|rely on|come from|made from|built on|built from|based on|derived from|downstream of|depend indirectly on) ‹name›',
)
const IS_USED_FOR = forms(
  '(do|does|is|are) ‹name› (feed|feed into|flow into|end up in|upstream of|used for) ‹name›',
  'is there a (path|way|connection) from ‹name› to ‹name›',
)

/** Answers if a relation is made from another one, with the relations on the way. */
export async function askPair(
  view: ProjectView,
  form: string,
  names: readonly Name[],
): Promise<OtherAnswer | undefined> {
  const isUp = IS_MADE_FROM.test(form)
  const [first, second, ...others] = names
  if (!(isUp || IS_USED_FOR.test(form)) || !first?.found || !second?.found || others.length > 0)
    return undefined
  if (first.found.column !== undefined || second.found.column !== undefined) return undefined
  const [made, origin] = isUp ? [first.id, second.id] : [second.id, first.id]
  const input = { id: made, direction: 'up', depth: 50 } as const
  const inputs = await getLineage.all(view, input)
  const readers = await getLineage.all(view, { id: origin, direction: 'down', depth: 50 })
  const below = new Set([origin, ...readers.items.map(({ id }) => id)])
  const isMade = inputs.items.some(({ id }) => id === origin)
  const { notes = [] } = inputs
  return {
    readAs: `is ${made} made from ${origin}, and by which relations?`,
    tool: getLineage.name,
    input,
    head: { answer: isMade ? 'yes' : notes.length === 0 ? 'no' : 'not by what is known' },
    counted: inputs.items.length === 1 ? 'relation' : 'relations',
    items: isMade ? inputs.items.filter(({ id }) => below.has(id)) : [],
    notes,
  }
}
