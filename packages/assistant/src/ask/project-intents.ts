import { wordsOf } from '@stagecraft/core/run'
import type { Item } from '../tool.ts'
import { getConventions } from '../tools/conventions.ts'
import { projectOverview } from '../tools/overview.ts'
import { searchProject } from '../tools/search.ts'
import { listSources } from '../tools/sources.ts'
import { type Intent, type ParsedQuestion, vocabulary } from './intent.ts'

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

const SOME_WORDS = 'no name and description has all of these words; these have some of them'

/** The items of a search that have all its words. */
const ALL_WORDS: Intent['prefers'] = [
  { isOf: (item) => !('lacks' in item) },
  { isOf: () => true, note: SOME_WORDS },
]

/** Columns that are what the question asks for; else those that have all words; else those of another owner. */
const MEANT: Intent['prefers'] = [
  { isOf: (item, asked) => !('lacks' in item) && isWhatIsAsked(item, asked) },
  { isOf: (item) => !('lacks' in item) },
  { isOf: isWhatIsAsked, note: SOME_WORDS },
]

function isWhatIsAsked(item: Item, asked: ParsedQuestion): boolean {
  const head = headWord(asked)
  const isIn = (key: 'lacks' | 'loose'): boolean => {
    const words: unknown = Reflect.get(item, key)
    return Array.isArray(words) && words.includes(head)
  }
  return !isIn('lacks') && !isIn('loose')
}

/** The last word of what is asked for: `email` in `the customer email` and in `the email of the customer`. */
function headWord({ form, words }: ParsedQuestion): string | undefined {
  const known = new Set(words.split(' '))
  const parts = form
    .replaceAll(/['’]s\b/g, '')
    .replace(/^.*?\bcolumns? (?:says?|tells?)\b/, '')
    .split(/\b(?:of|for|in|from|per|by|when|that|which belongs to)\b/)
  const found = parts.map((part) => wordsOf(part).filter((word) => known.has(word)))
  const last = found.find((own) => own.length > 0) ?? []
  return last.findLast((word) => !GENERAL.has(word)) ?? last.at(-1)
}

/** Words behind what they are about: `phone number`. */
const GENERAL = vocabulary('id key number value info information data detail code text')

export const SEARCHES: readonly Intent[] = [
  {
    example: 'which column holds the email of the customer?',
    pattern:
      /^(?!.*\bcolumns? (?:does|do|of|in|are in|called|named)\b).*\bcolumns?\b.*\b(?:holds?|contains?|stores?|has|have|for|about|with|means?|says?|tells?|is)\b|^(?:find|search|look for)\b.*\bcolumns?\b|^where (?:do|are|is)\b.*\b(?:keep|kept|stored?)\b|^where (?:do|can|could) (?:i|we|you) (?:find|get)\b|^where (?:is|are) (?:the|our) (?:(?!(?:defined|declared|located|computed|calculated|made|built)\b)[a-z’']+ ?)+$/,
    words: 'any',
    tool: searchProject,
    input: ({ words }) => ({ query: words, kinds: ['column'] }),
    prefers: MEANT,
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
