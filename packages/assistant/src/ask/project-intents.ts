import { getConventions } from '../tools/conventions.ts'
import { projectOverview } from '../tools/overview.ts'
import { searchProject } from '../tools/search.ts'
import { listSources } from '../tools/sources.ts'
import { type Intent, vocabulary } from './intent.ts'

export const CONVENTIONS: Intent = {
  example: 'what are our naming conventions?',
  pattern: /\bconventions?\b|\bnaming rules?\b|\bhow (?:do|should) (?:we|i) name\b/,
  words: vocabulary(
    'convention conventions naming rule rules how name follow follows here things models staging should',
  ),
  needs: 'no name',
  tool: getConventions,
  input: () => ({}),
  readAs: () => 'conventions: first those of stagecraft.yml, then those that staging models follow',
  counted: ['convention', 'conventions'],
}

export const SOURCES: Intent = {
  example: 'which sources do we have?',
  pattern:
    /^(?:(?:which|what|list|show)\b(?: me| are)?(?: all| every)?(?: the| our)?)? ?sources?(?: tables?| systems?)?(?: do we have| are there| exist| feed (?:this|the) project| does (?:it|the project|this project) have)?$/,
  words: vocabulary('source sources table tables system systems have feed'),
  needs: 'no name',
  tool: listSources,
  input: () => ({}),
  readAs: () => 'tables of all sources, with the number of their readers',
  counted: ['source table', 'source tables'],
}

/** The items of a search that have all its words. */
const ALL_WORDS: Intent['prefers'] = {
  isWhole: (item) => !('lacks' in item),
  otherwise: 'no name and description has all of these words; these have some of them',
}

export const SEARCHES: readonly Intent[] = [
  {
    example: 'which column holds the email of the customer?',
    pattern:
      /^(?!.*\bcolumns? (?:does|do|of|in|are in|called|named)\b).*\bcolumns?\b.*\b(?:holds?|contains?|stores?|has|have|for|about|with|means?|says?|tells?|is)\b|^(?:find|search|look for)\b.*\bcolumns?\b|^where (?:do|are|is)\b.*\b(?:keep|kept|stored?)\b|^where (?:do|can|could) (?:i|we|you) (?:find|get)\b/,
    words: 'any',
    tool: searchProject,
    input: ({ words }) => ({ query: words, kinds: ['column'] }),
    prefers: ALL_WORDS,
    readAs: ({ words }) => `columns whose names or descriptions have these words or synonyms: ${words}`,
    counted: ['column', 'columns'],
  },
  {
    example: 'find customer address',
    pattern: /^(?:find|search(?: for)?|look for)\b/,
    words: 'any',
    tool: searchProject,
    input: ({ words }) => ({ query: words }),
    prefers: ALL_WORDS,
    readAs: ({ words }) => `names and descriptions with these words or synonyms: ${words}`,
    counted: ['match', 'matches'],
  },
]

export const OVERVIEW: Intent = {
  example: 'give me an overview of the project',
  pattern:
    /\boverview\b|\bsummar(?:y|ise|ize)\b|\babout (?:this|the) project\b|^what is (?:this|the) project\b|^(?:how many|(?:the )?number of|count(?: the| all)?) (?:models|sources|source tables|seeds|snapshots|exposures|macros)\b(?: are there| does (?:it|the project|this project) have| (?:are )?in (?:the|this) project| do we have)?$|^(?:how many|(?:the )?number of|count(?: the| all)?) models (?:are there |do we have |are |have we )?(?:per|by|in each|in every) layer$/,
  words: vocabulary(
    `overview summary summarise summarize about project of for repo repository how many number count models sources source tables seeds
    snapshots exposures macros have per by in each every layer`,
  ),
  needs: 'no name',
  tool: projectOverview,
  input: () => ({}),
  readAs: () => 'an overview of the project',
  counted: ['source', 'sources'],
}
