import { explain } from '../tools/explain.ts'
import { checkProject, suggestTests } from '../tools/findings.ts'
import { getResource } from '../tools/resource.ts'
import { compareSource } from '../tools/sources.ts'
import { forms, type Intent, relationOf, vocabulary } from './intent.ts'

/** Words for what a name is the name of. */
const NAMED = 'model models source table column seed snapshot exposure'

export const TESTS: Intent = {
  example: 'which tests does stg_shop__orders have?',
  pattern: /\btests?\b.*\b(?:does|do|has|have|on|of|for|cover|are)\b/,
  words: vocabulary(`test tests data have has on of for cover covers run runs does ${NAMED}`),
  needs: 'id',
  isOfEach: true,
  tool: getResource,
  input: ({ id }) => ({ id, part: 'tests' }),
  readAs: ({ id }) => `tests of ${id}`,
  counted: ['test', 'tests'],
}

export const IS_TESTED: Intent = {
  ...TESTS,
  example: 'is fct_orders tested?',
  pattern: /^(?:is|are|how is) ‹name› (?:un|not )?tested$/,
  words: vocabulary('how not tested untested'),
}

export const SUGGESTED_TESTS: Intent = {
  example: 'which tests should I add to stg_shop__orders?',
  pattern:
    /^(?!add\b).*\b(?:suggest|propose|recommend|should|could|add)\b.*\btest(?:s|ed)?\b|\btests?\b.*\b(?:should|could|to add|missing)\b/,
  words: vocabulary(
    `suggest propose recommend should could add test tests tested data missing missed on for to in else more ${NAMED}`,
  ),
  tool: suggestTests,
  input: ({ id }) => (id === undefined ? {} : { id: relationOf(id) }),
  readAs: ({ id }) =>
    `missing tests that the raw tables call for, ${id === undefined ? 'in the whole project' : `for ${relationOf(id)}`}`,
  counted: ['proposal', 'proposals'],
}

export const EXPLAINED: Intent = {
  example: 'what does SC107 mean?',
  pattern: /\b(?:explain|means?|meaning|what is|what are|what does|tell me about|check(?:s|ed)?|fix|get)\b/,
  words: vocabulary(
    'explain mean means meaning of check checks checked fix get why how rule warning error code test tests lint about to for',
  ),
  needs: 'topic',
  tool: explain,
  input: ({ topic }) => ({ topic }),
  readAs: ({ topic }) => `the meaning of ${topic}`,
  counted: ['place where it occurs', 'places where it occurs'],
}

/** What one resource is set to. The tool tells all of it. */
const PROPERTIES: Intent = {
  example: 'who owns fct_orders?',
  pattern: forms(
    'who (owns|is the owner of|is owner of) ‹name›',
    'who (should|can|do|could) (i|we) (ask|contact) about ‹name›',
    '(owner|owners|tag|tags|group|access level|access) (does|do|has) ‹name› (have|belong to|get)',
    '(owner|owners|tag|tags|group|access level|access|description|contract|freshness|freshness check) (of|for|on) ‹name›',
    '‹name› (owner|owners|tags|group|access level|description|freshness)',
    'group is ‹name› in',
    'group (contains|includes|has|holds|owns) ‹name›',
    'freshness (does|do|has) ‹name› (have|get)',
    'how fresh (must|should|has to) ‹name› be',
    '(does|do) ‹name› have (a|an|any|an enforced|a enforced)? (owner|tag|tags|group|description|docs|documentation|contract|freshness|freshness check)',
    'is ‹name› (documented|described|undocumented|not documented|tagged|owned|public|private)',
  ),
  words: vocabulary(
    `who owns own owner owners owned tag tags tagged group in access level description descriptions documented described contract
    enforced should can could i we ask contact about public private not docs documentation freshness fresh check how must be contains includes holds get does have has of for on by to belong ${NAMED}`,
  ),
  needs: 'id',
  tool: getResource,
  input: ({ id }) => ({ id }),
  readAs: ({ id }) => `definition, configuration and columns of ${id}`,
  counted: ['column', 'columns'],
}

const SQL: Intent = {
  example: 'show the sql of fct_orders',
  pattern: forms('(sql|code|query|sql code|source code) (of|for|behind) ‹name›', '‹name› (sql|code)'),
  words: vocabulary(`sql code query source of for behind ${NAMED}`),
  needs: 'id',
  tool: getResource,
  input: ({ id = '' }) => ({ id: relationOf(id), part: 'sql' }),
  readAs: ({ id = '' }) => `SQL of ${relationOf(id)}`,
  counted: ['line', 'lines'],
}

/** Questions about one resource, or about all of them. */
export const RESOURCE_INTENTS: readonly Intent[] = [
  {
    example: 'what does lint find in fct_orders?',
    pattern: /\b(?:lint|findings?|warnings?|problems?|issues?|violations?|what is wrong|wrong with)\b/,
    words: vocabulary(
      `lint finding findings warning warnings problem problems issue issues violation violations wrong with in for of on about has have
      find anything results result ${NAMED}`,
    ),
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
    words: vocabulary(
      `drift drifted drifts schema change changed new gone or differ differs different difference differences raw source sources
      warehouse table tables column columns data since generation generated generate between and models in of for anything has have
      on did we`,
    ),
    narrows: ['source'],
    tool: compareSource,
    input: ({ id }) => (id === undefined ? {} : { id: relationOf(id) }),
    readAs: ({ id }) =>
      `differences between raw tables now and when models were generated, ${id === undefined ? 'of all sources' : `of ${relationOf(id)}`}`,
    counted: ['difference', 'differences'],
  },
  {
    example: 'how is fct_orders materialized?',
    pattern: /\bmateriali[sz]\w*|\b(?:a )?view or (?:a )?table\b|\b(?:a )?table or (?:a )?view\b/,
    words: vocabulary(
      `how materialized materialised materialization materialisation view table or of for use uses does which get gets model`,
    ),
    needs: 'id',
    tool: getResource,
    input: ({ id = '' }) => ({ id: relationOf(id) }),
    readAs: ({ id = '' }) => `definition, configuration and columns of ${relationOf(id)}`,
    counted: ['column', 'columns'],
  },
  PROPERTIES,
  SQL,
]

export const DEFINITION: Intent = {
  example: 'which columns does fct_orders have?',
  pattern:
    /\bcolumns?\b.*\b(?:does|do|has|have|of|in|are)\b|\bwhere (?:is|are)\b|^‹name› columns$|\b(?:which|what) file\b|\b(?:file|path|schema) (?:of|to)\b|^open ‹name›$|^where does ‹name› live$|\bwhere can i find\b|\bdefin(?:ed|ition)\b|\bdeclared\b|^(?:describe|show|what (?:is|are)) (?:the )?(?:model |source |table |column |seed |snapshot )?‹name›$/,
  words: vocabulary(
    `column columns has have of in where file path schema to open live find defined defines define definition declared declares describe
    show does ${NAMED}`,
  ),
  needs: 'id',
  tool: getResource,
  input: ({ id }) => ({ id }),
  readAs: ({ id }) => `definition and columns of ${id}`,
  counted: ['column', 'columns'],
}
