import type { Item, Tool, ToolResult } from '../tool.ts'
import { getConventions } from '../tools/conventions.ts'
import { explain } from '../tools/explain.ts'
import { checkProject, suggestTests } from '../tools/findings.ts'
import { listGaps } from '../tools/gaps.ts'
import { getImpact, getLineage } from '../tools/lineage.ts'
import { projectOverview } from '../tools/overview.ts'
import { getResource } from '../tools/resource.ts'
import { searchProject } from '../tools/search.ts'
import { compareSource, listSources } from '../tools/sources.ts'
import { findUses } from '../tools/uses.ts'

/** The parts of a question besides its form. */
export interface Asked {
  /** In lower case, without the names of the project. */
  readonly form: string
  /** The id of the relation or column that it names. @default none */
  readonly id?: string
  /** The rule, code or test that it names. @default none */
  readonly topic?: string
  /** Words that it asks for, without those of its form. */
  readonly words: string
}

/** A question that can be computed. `‹name›` in the form stands for a name of the project. */
export interface Intent {
  /** The question as people may ask it; the list of these is what can be asked. */
  readonly example: string
  readonly pattern: RegExp
  /** `id` is a relation or column; `topic` a rule, a code or a test; `no name` is for questions about the whole project. @default nothing */
  readonly needs?: 'id' | 'topic' | 'no name'
  /** True if the pattern is about what is not there, so that a `not` in the question is understood. */
  readonly isNegative?: boolean
  readonly tool: Tool
  readonly input: (asked: Asked) => object
  /** Leaves out items that were not asked for. @default all are */
  readonly keeps?: (item: Item) => boolean
  /** Repeats the question as it was understood. */
  readonly readAs: (asked: Asked) => string
  /** Names what is counted. */
  readonly counted: readonly [one: string, many: string]
}

const DROPS = String.raw`(?:drop|delet|remov|renam|retir|is gone|were gone|goes away|goes\b)`

function kindsOf({ form: asked }: Asked): readonly string[] | undefined {
  // those who read are not what is asked for: `sources never read by any model`
  const form = asked.replaceAll(
    /\b(?:by|in|from) (?:any|an?|the|our|other|some)? ?(?:models?|snapshots?)\b/g,
    '',
  )
  const kinds = [
    ...(/\bmodels?\b/.test(form) ? ['model'] : []),
    ...(/\b(?:sources?|tables?)\b/.test(form) ? ['source'] : []),
    ...(/\bseeds?\b/.test(form) ? ['seed'] : []),
    ...(/\bsnapshots?\b/.test(form) ? ['snapshot'] : []),
  ]
  return kinds.length > 0 ? kinds : undefined
}

function gap(name: 'untested' | 'undocumented' | 'unused', pattern: RegExp, example: string): Intent {
  return {
    example,
    pattern,
    needs: 'no name',
    isNegative: true,
    tool: listGaps,
    input: (asked) => {
      const kinds = kindsOf(asked)
      return { gap: name, ...(kinds && { kinds }) }
    },
    readAs: (asked) => {
      const kinds =
        kindsOf(asked) ?? (name === 'untested' ? ['model'] : ['model', 'source', 'seed', 'snapshot'])
      return `${name}: ${kinds.map((kind) => (kind === 'source' ? 'source tables' : `${kind}s`)).join(', ')} of the whole project`
    },
    counted: ['relation', 'relations'],
  }
}

const COLUMN_SEARCH: Intent = {
  example: 'which column holds the email of the customer?',
  pattern:
    /^(?!.*\bcolumns? (?:does|do|of|in|are in)\b).*\bcolumns?\b.*\b(?:holds?|contains?|stores?|has|have|for|about|with|means?|says?|tells?|is)\b|^(?:find|search|look for)\b.*\bcolumns?\b|^where (?:do|are|is)\b.*\b(?:keep|kept|stored?)\b/,
  tool: searchProject,
  input: ({ words }) => ({ query: words, kinds: ['column'] }),
  readAs: ({ words }) =>
    `columns whose names or descriptions have these words or such of the same meaning: ${words}`,
  counted: ['column', 'columns'],
}

function lineage(
  direction: 'up' | 'down' | 'both',
  pattern: RegExp,
  { depth, example }: { readonly example: string; readonly depth?: number },
): Intent {
  const named = {
    up: 'what it is made of',
    down: 'what is made of it',
    both: 'what it is made of and what is made of it',
  }
  return {
    example,
    pattern,
    needs: 'id',
    tool: getLineage,
    input: ({ id }) => ({ id, direction, depth: depth ?? 50 }),
    readAs: ({ id }) =>
      `lineage of ${id}: ${named[direction]}${depth === 1 ? ', directly' : depth === undefined ? '' : `, ${depth} steps at most`}`,
    counted: ['relation or column', 'relations or columns'],
  }
}

const USES: Intent = {
  example: 'where is fct_orders used?',
  pattern: /\b(?:used|uses?|using|usages?|reads?|referenced?|references|refers?|selects? from|consum\w+)\b/,
  needs: 'id',
  tool: findUses,
  input: ({ id }) => ({ id }),
  readAs: ({ id }) => `places that read ${id}`,
  counted: ['place', 'places'],
}

const TESTS: Intent = {
  example: 'which tests does stg_shop__orders have?',
  pattern: /\btests?\b.*\b(?:does|do|has|have|on|of|for|cover|are)\b/,
  needs: 'id',
  tool: getResource,
  input: ({ id }) => ({ id, part: 'tests' }),
  readAs: ({ id }) => `tests of ${id}`,
  counted: ['test', 'tests'],
}

/** Every question that can be computed; the first whose pattern fits is taken. */
export const INTENTS: readonly Intent[] = [
  {
    example: 'what breaks if shop.orders.tax is dropped?',
    pattern: new RegExp(
      String.raw`\b(?:breaks?|breaking|broken|impact|affect(?:s|ed)?|blast radius|consequences?)\b|\b(?:fails?|complains?)\b.*\bwithout\b|\bstops? working\b|\b(?:get|got|getting) rid of\b|^(?:who|which (?:models?|tables?)) (?:depends? on|needs?) ‹name›$|\b(?:if|when|without)\b.*\b${DROPS}|\bsafe(?:ly)?\b.*\b${DROPS}|\b(?:about|going|want|plan(?:ning)?) to ${DROPS}`,
    ),
    needs: 'id',
    isNegative: true,
    tool: getImpact,
    input: ({ id }) => ({ id }),
    readAs: ({ id }) => `what no longer works without ${id}`,
    counted: ['place or relation', 'places and relations'],
  },
  {
    ...USES,
    example: 'is fct_orders used?',
    pattern: /^(?:is|are) ‹name› (?:un|not )?used$/,
    isNegative: true,
  },
  {
    ...TESTS,
    example: 'is fct_orders tested?',
    pattern: /^(?:is|are|how is) ‹name› (?:un|not )?tested$/,
    isNegative: true,
  },
  gap(
    'untested',
    /^(?!.*\bcolumns?\b).*(?:\buntested\b|\b(?:no|without|lack\w*|miss\w*|any)\b(?: any| data| an?| single| one)* tests?\b|(?:\bnot|n't) (?:\w+ )?tested\b|\b(?:nobody|no one) (?:has )?test(?:s|ed)\b)/,
    'which models have no tests?',
  ),
  gap(
    'undocumented',
    /^(?!.*\bcolumns?\b).*(?:\bundocumented\b|\b(?:no|without|lack\w*|miss\w*|needs?)\b(?: any| an?| some)* (?:descriptions?|documentation|docs)\b|(?:\bnot|n't) (?:\w+ )?(?:described|documented)\b|\b(?:nobody|no one) (?:has )?(?:describe[sd]|document(?:s|ed))\b)/,
    'which models are not documented?',
  ),
  gap(
    'unused',
    /^(?!.*\bcolumns?\b).*(?:\bunused\b|(?:\b(?:not|never)|n't) (?:\w+ )?(?:used|read)\b|\b(?:nobody|nothing|no one|no model) (?:uses?|reads?|needs?|depends? on)\b|\borphan|\bdead (?:models?|tables?|sources?|seeds?)\b)/,
    'which sources are unused?',
  ),
  {
    example: 'which tests should I add to stg_shop__orders?',
    pattern:
      /\b(?:suggest|propose|recommend|should|could|add)\b.*\btest(?:s|ed)?\b|\btests?\b.*\b(?:should|could|to add|are missing)\b/,
    tool: suggestTests,
    input: ({ id }) => (id === undefined ? {} : { id: relationOf(id) }),
    readAs: ({ id }) =>
      `tests that the raw tables call for and nobody wrote, ${id === undefined ? 'in the whole project' : `for ${relationOf(id)}`}`,
    counted: ['proposal', 'proposals'],
  },
  {
    example: 'what does SC107 mean?',
    pattern: /\b(?:explain|means?|meaning|what is|what are|what does|tell me about|check(?:s|ed)?|fix|get)\b/,
    needs: 'topic',
    tool: explain,
    input: ({ topic }) => ({ topic }),
    readAs: ({ topic }) => `the meaning of ${topic}`,
    counted: ['place that has it', 'places that have it'],
  },
  TESTS,
  {
    example: 'what does lint find in fct_orders?',
    pattern: /\b(?:lint|findings?|warnings?|problems?|issues?|violations?|what is wrong|wrong with)\b/,
    tool: checkProject,
    input: ({ id }) => (id === undefined ? {} : { id: relationOf(id) }),
    readAs: ({ id }) =>
      `findings of lint, ${id === undefined ? 'in the whole project' : `for ${relationOf(id)}`}`,
    counted: ['finding', 'findings'],
  },
  {
    example: 'what changed in the raw tables of shop?',
    pattern:
      /\bdrift\w*\b|\b(?:what|did|has|have|anything)\b.*\bchanged?\b|\b(?:raw|source|warehouse)\b.*\b(?:changed|new|gone|differ\w*)\b|\bdifferent\b.*\b(?:warehouse|since)\b/,
    tool: compareSource,
    input: ({ id }) => (id === undefined ? {} : { id: relationOf(id) }),
    readAs: ({ id }) =>
      `differences between raw tables and what models were generated from, ${id === undefined ? 'of all sources' : `of ${relationOf(id)}`}`,
    counted: ['difference', 'differences'],
  },
  {
    example: 'how is fct_orders materialized?',
    pattern: /\bmateriali[sz]\w*|\b(?:a )?view or (?:a )?table\b|\b(?:a )?table or (?:a )?view\b/,
    needs: 'id',
    tool: getResource,
    input: ({ id = '' }) => ({ id: relationOf(id) }),
    readAs: ({ id = '' }) => `definition, configuration and columns of ${relationOf(id)}`,
    counted: ['column', 'columns'],
  },
  {
    example: 'what are our naming conventions?',
    pattern: /\bconventions?\b|\bnaming rules?\b|\bhow (?:do|should) (?:we|i) name\b/,
    needs: 'no name',
    tool: getConventions,
    input: () => ({}),
    readAs: () => 'conventions: those that stagecraft.yml sets, then those that staging models follow',
    counted: ['convention', 'conventions'],
  },
  {
    example: 'which sources do we have?',
    pattern:
      /^(?:(?:which|what|list|show)\b(?: me| are)?(?: all| every)?(?: the| our)?)? ?sources?(?: tables?| systems?)?(?: do we have| are there| exist| feed (?:this|the) project)?$/,
    needs: 'no name',
    tool: listSources,
    input: () => ({}),
    readAs: () => 'tables of all sources, with the number of their readers',
    counted: ['source table', 'source tables'],
  },
  {
    ...lineage(
      'up',
      /\b(?:sources?|raw tables?|source tables?)\b.*\b(?:feeds?|end(?:s)? up in|come from|behind|into|(?:rely|based|built) on)\b|\braw columns?\b.*\b(?:behind|feeds?|come from|into|(?:rely|based|built) on)\b/,
      { example: 'which sources feed fct_orders?' },
    ),
    keeps: ({ id }) => id.startsWith('source.'),
    readAs: ({ id }) => `source tables and columns that ${id} is made of`,
    counted: ['source', 'sources'],
  },
  lineage('up', /\bparents? and grandparents?\b/, {
    example: 'what are the parents and grandparents of fct_orders?',
    depth: 2,
  }),
  lineage(
    'up',
    /\bdo(?:es)? ‹name› (?:directly )?(?:use|read|reference|select)|\bparents?\b|\bdirect inputs?\b/,
    {
      example: 'what does fct_orders read?',
      depth: 1,
    },
  ),
  lineage('down', /^(?!.*\b(?:all levels|indirect\w*|recursive\w*)\b).*\bchildren\b/, {
    example: 'what are the children of stg_shop__orders?',
    depth: 1,
  }),
  lineage(
    'up',
    /\bupstream\b|\bup to\b|\bback to\b|\bfeeds? (?:into )?‹name›|^how (?:is|are) ‹name› (?:made|built|derived|calculated|computed)$|\bdo(?:es)? ‹name› (?:\w+ )?(?:depend|rely) on|\b(?:is|are) ‹name› (?:\w+ )?based on|\bgo(?:es)? into ‹name›|\borigins? of\b|\bto its origins?\b|\b(?:made|built|derived|calculated|computed|comes?) (?:of|from)\b|\bcome from\b|\bancestors?\b|\binputs?\b/,
    { example: 'what is fct_orders.total made of?' },
  ),
  lineage(
    'down',
    /\bdownstream\b|\bchildren\b|\bdepend[ae]nts?\b|\b(?:depends?|rely|relies|based) on ‹name›|\b(?:builds?|built) on\b|\bfeeds?\b|\bdescendants?\b|\bmade of ‹name›/,
    {
      example: 'what depends on stg_shop__orders?',
    },
  ),
  lineage('both', /\blineage\b/, { example: 'show the lineage of fct_orders' }),
  USES,
  {
    example: 'which columns does fct_orders have?',
    pattern:
      /\bcolumns?\b.*\b(?:does|do|has|have|of|in|are)\b|\bwhere (?:is|are)\b|^‹name› columns$|\b(?:which|what) file\b|\b(?:file|path|schema) (?:of|to)\b|^open ‹name›$|^where does ‹name› live$|\bwhere can i find\b|\bdefin(?:ed|ition)\b|\bdeclared\b|^(?:describe|show|what (?:is|are)) (?:the )?(?:model |source |table |column |seed |snapshot )?‹name›$/,
    needs: 'id',
    tool: getResource,
    input: ({ id }) => ({ id }),
    readAs: ({ id }) => `definition and columns of ${id}`,
    counted: ['column', 'columns'],
  },
  COLUMN_SEARCH,
  {
    example: 'find customer address',
    pattern: /^(?:find|search(?: for)?|look for)\b/,
    tool: searchProject,
    input: ({ words }) => ({ query: words }),
    readAs: ({ words }) => `names and descriptions with these words or such of the same meaning: ${words}`,
    counted: ['match', 'matches'],
  },
  {
    example: 'give me an overview of the project',
    pattern:
      /\boverview\b|\bsummar(?:y|ise|ize)\b|\babout (?:this|the) project\b|^what is (?:this|the) project\b|^(?:how many|(?:the )?number of|count(?: the| all)?) (?:models|sources|source tables|seeds|snapshots|exposures|macros)\b(?: are there| does (?:it|the project|this project) have| (?:are )?in (?:the|this) project| do we have)?$/,
    tool: projectOverview,
    input: () => ({}),
    readAs: () => 'an overview of the project',
    counted: ['source', 'sources'],
  },
]

function relationOf(id: string): string {
  return id.split(':')[0] ?? id
}

/** The result of a tool as one line: the fields beside its items. */
export function headOf(result: ToolResult): Readonly<Record<string, unknown>> {
  const { items: _, nextCursor: __, notes: ___, total: ____, untrusted: _____, ...head } = result
  return head
}
