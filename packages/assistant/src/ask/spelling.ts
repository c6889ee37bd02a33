import { SPELLED } from './words.ts'

/** What laws protect, in other words. */
const PERSONAL =
  '(?:personal|sensitive|personally identifiable|private customer) (?:data|information|info|details)'

/** Short and other forms, and the words that replace them. */
const FORMS: readonly (readonly [written: RegExp, meant: string])[] = [
  [/\b(do|does|did|is|are|have|has|was|were)n[’']?t\b/g, '$1 not'],
  [/\bw\/o\b/g, 'without'],
  [/\b(?:pls|plz)\b/g, 'please'],
  [/\bnon-(?=\w)/g, 'non '],
  [/\b(\w+) or more\b/g, 'at least $1'],
  [/\b(\w+) or (?:fewer|less)\b/g, 'at most $1'],
  [/\b(?:under|below) (?=\w+\/)/g, 'in '],
  [/\b([\w]+)-tagged\b/g, 'tagged $1'],
  [/\btag:\s*/g, 'tag '],
  [/\b(what|who|that|which|there)[’']s\b/g, '$1 is'],
  [/\bi[’']d\b/g, 'i would'],
  [/\bi[’']m\b/g, 'i am'],
  [/\bwe[’']re\b/g, 'we are'],
  [/\b(?:directly or (?:not|indirectly)|direct or indirect)\b/g, 'indirectly'],
  [/,? (sources|source tables|models|exposures) only$/g, ' $1'],
  [/\bnot (used|read|referenced) by (?!any(?:thing|one|body)\b)/g, 'not be $1 by '],
  [/\b(do|does) not read\b(?! by)/g, '$1 not reading'],
  [
    /\b(depends? on|built on|based on|reads?|uses?|comes? from) neither (.+?) nor (?!any\w)/g,
    'not $1 $2 or ',
  ],
  [/\ban? column (?=\w*[a-z0-9]_\w)/g, 'a column called '],
  [/\b(an?|any) (?!un(?:tested|documented|described)\b)(\w+) column(?= ?[?.]?$)/g, '$1 column called $2'],
  [/\bup to (?:the |its )?sources\b/g, 'up to'],
  [/^((?:list |show |find |which |what |all |the )*columns) (?:called|named) /g, '$1 are called '],
  [/\b(models? (?:(?:that|which) )?(?:is|are)(?: not)?) (?:an? )?tables?\b/g, '$1 materialized as tables'],
  [new RegExp(`\\b(?:sensitive|${PERSONAL}) (?=columns?\\b|fields?\\b)`, 'g'), 'personal '],
  [/\b((?:columns?|fields?) (?:that |which )?(?:is|are)(?: not)?) (?:pii|sensitive)\b/g, '$1 personal'],
  [
    new RegExp(`\\b(?:holds?|stores?|contains?|haves?) ((?:no |any )?)(?:pii|${PERSONAL})(?![\\w.])`, 'g'),
    'have $1personal data',
  ],
  [
    new RegExp(`\\b(has|containing|with|without|without any|with any) (?:pii|${PERSONAL})(?![\\w.])`, 'g'),
    '$1 personal data',
  ],
  [
    new RegExp(
      `^(?:where is|where do we (?:keep|store|have)|(?:what|which)) (?:the |our )?(?:pii|${PERSONAL})(?: stored| kept| do we (?:have|store|keep))?\\??$`,
      'g',
    ),
    'columns with personal data',
  ],
]

/** Returns a question in lower case, with other forms of words in the place of short ones. */
export function inOtherWords(question: string): string {
  return FORMS.reduce((text, [written, meant]) => text.replaceAll(written, meant), question.toLowerCase())
}

const OPENING =
  /^(?:(?:hey|hi|hello|please|so|and|can you tell me|could you tell me|tell me|show me)[, ]+)*(?:which|what|how|who|where|is|are|does|do)\b/
const NEXT_OPENING =
  /(?:,? and(?: also)?|[,;?.] ?(?:and )?) (?:which (?!also\b)|what |how many |who |where |why |when |(?:is|are) (?!(?:not|in|tagged|owned|documented|undocumented|tested|untested|used|unused|materiali[sz]ed|incremental|ephemeral|public|private)\b)|(?:does|do) (?!not\b))[^ ]+/

/** A second question about what the first one found: `…, are they tested?`. */
const ABOUT_FOUND =
  /(?:[,;?.] ?| and )(?:is|are|does|do|has|have|was|were) (?:it|they|these|those|any of them)\b/

/** Returns the opening of a second question: `…, and how many are tested`. */
export function secondQuestionIn(question: string): string | undefined {
  const text = inOtherWords(question).trim()
  const [opening] = OPENING.exec(text) ?? []
  const next = opening === undefined ? undefined : NEXT_OPENING.exec(text.slice(opening.length))
  return (next ?? ABOUT_FOUND.exec(text))?.[0].replace(/^[,;?. ]+/, '')
}

/** Returns the words of a question in lower case, commas among them, with typing errors corrected. */
export function wordsIn(question: string): readonly string[] {
  return [
    ...inOtherWords(question).matchAll(/‹name›|[\p{L}\p{N}_](?:[\p{L}\p{N}_./:$@+-]*[\p{L}\p{N}_])?|,/gu),
  ].map(([word]) => mended(word))
}

/** Returns the only known word that differs in one letter or two swapped ones; the first letter must be right. */
function mended(word: string): string {
  if (word.length < 4 || SPELLED.includes(word)) return word
  const close = SPELLED.filter((known) => known[0] === word[0] && isNear(word, known))
  const [only] = close
  return close.length === 1 && only !== undefined ? only : word
}

function isNear(word: string, known: string): boolean {
  if (known.length < 5 || Math.abs(word.length - known.length) > 1) return false
  let start = 0
  while (start < word.length && word[start] === known[start]) start++
  let end = 0
  const most = Math.min(word.length, known.length) - start
  while (end < most && word.at(-1 - end) === known.at(-1 - end)) end++
  const [left, right] = [word.slice(start, word.length - end), known.slice(start, known.length - end)]
  const isSwapped = left.length === 2 && right === `${left[1]}${left[0]}`
  // singular and plural are different words, not typing errors: `model` and `models`
  if (left.length + right.length === 1) return !SPELLED.includes(word) && (left || right) !== 's'
  return isSwapped || (left.length === 1 && right.length === 1 && known.length >= 6)
}
