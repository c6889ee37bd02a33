import { getImpact } from '../tools/impact.ts'
import { getLineage } from '../tools/lineage.ts'
import { findUses } from '../tools/uses.ts'
import { type Intent, vocabulary } from './intent.ts'

const DROPS = String.raw`(?:drop|delet|remov|renam|retir|is gone|were gone|goes away|goes\b|went away|disappear)`

const RELATIONS = ['model', 'source', 'seed', 'snapshot', 'exposure'] as const

/** Words for what is there, of any kind. */
const THINGS = 'relations things anything everything something'

export const IMPACT: Intent = {
  example: 'what breaks if shop.orders.tax is dropped?',
  pattern: new RegExp(
    String.raw`\b(?:breaks?|breaking|broken|impact|affect(?:s|ed)?|blast radius|consequences?)\b|\b(?:fails?|complains?)\b.*\bwithout\b|\bstops? working\b|\b(?:get|got|getting) rid of\b|^(?:who|which (?:models?|tables?)) (?:depends? on|needs?) ‹name›$|\b(?:if|when|without)\b.*\b${DROPS}|\bsafe(?:ly)?\b.*\b${DROPS}|\b(?:about|going|want|plan(?:ning)?) to ${DROPS}`,
  ),
  words:
    vocabulary(`break breaks breaking broken impact affect affects affected blast radius consequence consequences fail fails
    complain complains without stop stops working get got getting rid depend depends on need needs if when drop dropped dropping
    delete deleted deleting remove removed removing rename renamed renaming retire retired retiring gone goes go away safe safely
    lose loses went about going want plan planning change changes changed changing happens happen disappear disappears disappeared downstream hit then am know should
    analysis by for who suffer suffers ${THINGS}`),
  needs: 'id',
  narrows: RELATIONS,
  tool: getImpact,
  input: ({ id }) => ({ id }),
  readAs: ({ id }) => `what no longer works without ${id}`,
  counted: ['place or relation', 'places and relations'],
}

const USES: Intent = {
  example: 'where is fct_orders used?',
  pattern:
    /\b(?:used|uses?|using|usages?|reads?|referenced?|references|refers?|selects? from|consum\w+)\b|\bcall(?:s|ed|ers?)?\b/,
  words:
    vocabulary(`where used use uses using usage usages read reads reference references referenced refer refers select selects
    from consume consumes consumed consumer consumers call calls called caller callers by directly direct immediate who anybody anyone on for place
    places`),
  needs: 'id',
  takesMacros: true,
  narrows: RELATIONS,
  tool: findUses,
  input: ({ id }) => ({ id }),
  readAs: ({ id }) => `places that read ${id}`,
  counted: ['place', 'places'],
}

export const IS_USED: Intent = {
  ...USES,
  example: 'is fct_orders used?',
  pattern: /^(?:is|are) ‹name› (?:un|not )?used(?: anywhere)?$/,
  words: vocabulary('used unused not anywhere'),
}

interface LineageForm {
  readonly example: string
  readonly words: string
  /** @default all steps */
  readonly depth?: number
}

function lineage(
  direction: 'up' | 'down' | 'both',
  pattern: RegExp,
  { depth, example, words }: LineageForm,
): Intent {
  const named = {
    up: 'its inputs',
    down: 'everything made from it',
    both: 'its inputs and everything made from it',
  }
  return {
    example,
    pattern,
    words: vocabulary(`${words} ${THINGS}`),
    needs: 'id',
    narrows: RELATIONS,
    tool: getLineage,
    input: ({ id }) => ({ id, direction, depth: depth ?? 50 }),
    readAs: ({ id }) =>
      `lineage of ${id}: ${named[direction]}${depth === 1 ? ', directly' : depth === undefined ? '' : `, ${depth} steps at most`}`,
    counted: ['relation or column', 'relations or columns'],
  }
}

const UP = `upstream feed feeds feeding flow flows into from on of come comes up to back depend depends rely relies based built build made derived
  computed calculated go goes origin origins its trace behind end ends ancestors ancestor input inputs how where data ultimately
  lineage`
const DOWN = `downstream children child dependent dependents depend depends rely relies on of from based build builds built feed feeds
  descendants descendant lineage use uses levels indirectly indirect top sits made derived calculated computed come comes who`

const SOURCES_OF: Intent = {
  ...lineage(
    'up',
    /^(?!.*\bmodels\b).*(?:\b(?:sources?|raw tables?|source tables?)\b.*\b(?:feeds?|flows?|end(?:s)? up in|come from|behind|into|upstream of|(?:rely|based|built) on)\b|\braw columns?\b.*\b(?:behind|feeds?|come from|into|(?:rely|based|built) on|ends? up in)\b)/,
    {
      example: 'which sources feed fct_orders?',
      words: `${UP} raw source sources table tables column columns which end ends`,
    },
  ),
  keeps: ({ id }) => id.startsWith('source.'),
  readAs: ({ id }) => `source tables and columns behind ${id}`,
  counted: ['source', 'sources'],
}

/** Questions that follow what reads what; the first that fits is meant. */
export const LINEAGE: readonly Intent[] = [
  SOURCES_OF,
  lineage('up', /\bparents? and grandparents?\b/, {
    example: 'what are the parents and grandparents of fct_orders?',
    words: 'parent parents and grandparent grandparents of',
    depth: 2,
  }),
  lineage(
    'up',
    /\bdo(?:es)? ‹name› (?:directly (?:depend|rely) on|(?:depend|rely) on directly|(?:directly )?(?:use|read|reference|select))|\bparents?\b|\bdirect inputs?\b|\b(?:direct|immediate)(?:ly)? upstream\b/,
    {
      example: 'what does fct_orders read?',
      words:
        'use read reference select depend rely on from directly direct immediate parent parents of upstream inputs input',
      depth: 1,
    },
  ),
  lineage(
    'down',
    /^(?!.*\b(?:all levels|indirect\w*|recursive\w*)\b).*\b(?:children|(?:direct|immediate)(?:ly)? (?:downstream|depend\w*)|depends? directly|(?:depends?|relies|rely|built?) on ‹name› directly)\b/,
    {
      example: 'what are the children of stg_shop__orders?',
      words: 'children child of direct immediate directly downstream depend depends dependent dependents on',
      depth: 1,
    },
  ),
  lineage(
    'down',
    /\b(?:read(?:s|ing)?|uses?|using)\b.*\bindirectly\b|\b(?:exposures?|dashboards?)\b.*\b(?:reads?|uses?)\b/,
    {
      example: 'which exposures use stg_shop__orders?',
      words: 'read reads reading use uses using from indirectly ,',
    },
  ),
  lineage(
    'up',
    /\bupstream\b|\bup to\b|\bback to\b|\bfeeds? (?:into )?‹name›|^how (?:is|are) ‹name› (?:made|built|derived|calculated|computed)$|\bdo(?:es)? ‹name› (?:\w+ )?(?:depend|rely) on|\b(?:is|are) ‹name› (?:\w+ )?based on|\bgo(?:es)? into ‹name›|\borigins? of\b|\bto its origins?\b|\b(?:made|built|derived|calculated|computed|comes?|come) (?:of|from)\b(?! ‹name›)|\bancestors?\b|\binputs?\b/,
    { example: 'what is fct_orders.total made of?', words: UP },
  ),
  lineage(
    'down',
    /\bdownstream\b|\bchildren\b|\bdepend[ae]nts?\b|\b(?:depends?|rely|relies|based) on ‹name›|\b(?:builds?|built) on\b|\bfeeds?\b|\bdescendants?\b|\b(?:made|built|derived|calculated|computed|comes?|come) (?:of|from) ‹name›/,
    { example: 'what depends on stg_shop__orders?', words: DOWN },
  ),
  lineage('both', /\blineage\b/, {
    example: 'show the lineage of fct_orders',
    words: 'lineage full of for up and down column',
  }),
  USES,
]
