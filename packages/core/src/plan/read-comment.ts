import type { ColumnValue } from '@stagecraft/spec'
import { remember } from '../memo.ts'

/** The facts that a comment clearly states about its column. */
export interface CommentFacts {
  /** `whole`: the column alone is the key; `part`: it is part of the key. */
  readonly key?: 'whole' | 'part'
  readonly isUnique?: true
  /** The target, as the comment spells it. */
  readonly reference?: CommentReference
  /** All values it may hold. */
  readonly values?: readonly ColumnValue[]
}

/** `customers`, `shop.customers`, `customers.id`, `customers(id)`: the known tables decide which of these it is. */
export interface CommentReference {
  /** One to three words that were joined by dots. */
  readonly path: readonly string[]
  /** The column in parentheses. */
  readonly column?: string
  /** The comment says “primary key of”, which may also refer to its own table. */
  readonly isKeyOf?: true
}

const NOTHING: CommentFacts = {}

/**
 * Reads a comment as evidence. Anyone may have written it, so only a few phrases count, each within one sentence, and
 * none that a preceding word negates (`not unique`, `unlike the primary key`).
 */
export function readComment(comment: string | undefined): CommentFacts {
  return comment === undefined || comment.length > LONGEST_COMMENT ? NOTHING : readOnce(comment)
}

/** Remembers results, because keys, references and tests of one table are read from the same comments. */
const readOnce = remember((comment: string): CommentFacts => {
  if (!SAYS_SOMETHING.test(comment)) return NOTHING
  const facts = sentencesOf(comment).map(readSentence)
  // the first statement counts
  return Object.assign({}, ...facts.toReversed())
}, 100)

/** Matches words and signs; every phrase has at least one of them, and most comments have none. */
const SAYS_SOMETHING =
  /key|\b(?:PK|FK|id)\b|unique|refer|point|links|joins|identifier|one of|values|options|stat|codes|types|enum|[-=]>|→/i

/** Longer texts are pages of documentation, where a phrase may be about anything. */
const LONGEST_COMMENT = 1000

/**
 * Splits a comment into sentences. A full stop ends one only before a space, so that `customers.id` and `e.g.` stay
 * whole.
 */
function sentencesOf(comment: string): readonly string[] {
  return comment
    .replace(/\b(e\.g|i\.e|etc|incl|resp|approx)\./gi, (word) => word.replaceAll('.', ''))
    .split(/(?:[.!?](?=\s|$))|[\n\r;]+/)
    .map((sentence) => sentence.trim())
    .filter(Boolean)
}

function readSentence(sentence: string): CommentFacts {
  const reference = readReference(sentence)
  const key = reference ? undefined : readKey(sentence)
  const values = reference || key ? undefined : readValues(sentence)
  return {
    ...(reference && { reference }),
    ...(key && { key }),
    ...(!reference && !key && saysUnique(sentence) && { isUnique: true as const }),
    ...(values && { values }),
  }
}

/** Words that negate the rest of the sentence, or refer it to something else. */
const TAKEN_BACK =
  /\b(?:not?|never|non|cannot|unlike|without|instead|rather|nor|neither|was|were|formerly|former|previously|once|old|deprecated|legacy|future|planned|todo|may|might|could|should|would|if|unless|except|sometimes|usually|often|almost|nearly|semi|used as)\b|n't\b|n’t\b/i

function isMeant(sentence: string, at: number): boolean {
  return !TAKEN_BACK.test(sentence.slice(0, at)) && !/\?\s*$/.test(sentence)
}

/** The key of this table: `primary key of X` is about X, which may be another table. */
const KEY =
  /^(?:this (?:column )?is |is |it is |serves as |acts as |\()?(?:the |a |an )?(?:(?<part>part of|member of|component of|composite|compound)\s+(?:the |a )?)?(?:(?:surrogate|natural|technical|synthetic|auto-?increment(?:ed|ing)?|unique|table'?s|numeric|integer|internal)\s+)*(?:composite |compound )?(?:primary[ -]key|PK)\b(?<after>.*)$/i

/** At the end of a sentence that begins with the column: `Number of the order (primary key)`. */
const KEY_AT_THE_END = /[(,:–-]\s*(?:the )?(?:table'?s )?(?:primary[ -]key|PK)\s*\)?$/i

/** Words that refer a sentence to other tables or several columns. */
const OF_OTHERS =
  /\b(?:another|both|combination|combined|each|FK|foreign|from|links?|other|parent|per|points?|references?|refers|related|tables?|together|with|within)\b/i

/** Returns true if a sentence about this column alone has that ending. */
function endsWith(ending: RegExp, sentence: string): boolean {
  const at = sentence.search(ending)
  return at > 0 && isMeant(sentence, at) && !OF_OTHERS.test(sentence.slice(0, at))
}

function readKey(sentence: string): CommentFacts['key'] {
  const match = KEY.exec(sentence)
  if (!match) return endsWith(KEY_AT_THE_END, sentence) ? 'whole' : undefined
  const { after = '', part } = match.groups ?? {}
  if (TAKEN_BACK.test(after)) return undefined
  if (/^\s*(?:candidate|column\s+of\s+another|of another)\b/i.test(after)) return undefined
  if (part !== undefined || /\b(?:composite|compound)\b/i.test(sentence)) return 'part'
  return /^\s*(?:$|[,()\-–:]|of\b|for\b|in\b|column\b|which\b|that\b|from\b|identif)/i.test(after)
    ? 'whole'
    : undefined
}

/** Matches the name of a table in a comment: words joined by dots, or in quotes. */
const PATH = String.raw`["'\x60\[]?(?<path>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){0,2})["'\x60\]]?(?:\s?\(\s*["\x60]?(?<column>[A-Za-z_]\w*)["\x60]?\s*\))?`
const ARTICLE = String.raw`(?:the\s+|a\s+|an\s+|table\s+|column\s+)*`
const REFERENCE = new RegExp(
  [
    String.raw`\b(?:foreign[ -]key|FK)\b\s*(?:that\s+)?(?:to|of|into|onto|on|for|referencing|references|pointing to|points to|->|=>|→|:|\(to)?\s*${ARTICLE}`,
    String.raw`^(?:this (?:column )?)?(?:references|refers to|reference to|points to|links to|joins to|joins with|->|=>|→)\s*${ARTICLE}`,
    String.raw`^(?:the )?(?:primary key|id|identifier) of the (?=\w+ table\b)`,
  ]
    .map((opening) => `(?:${opening})`)
    .join('|')
    .replace(/^/, '(?:')
    .replace(/$/, `)${PATH}(?<after>.*)$`),
  'i',
)

const NO_NAMES: ReadonlySet<string> = new Set(
  'a an and another any are column each for from in into is it many of on or other several some that the this to'.split(
    ' ',
  ),
)

function readReference(sentence: string): CommentReference | undefined {
  const match = REFERENCE.exec(sentence)
  const { after = '', column, path } = match?.groups ?? {}
  if (!match || path === undefined || !isMeant(sentence, match.index)) return undefined
  if (NO_NAMES.has(path.toLowerCase()) || /^\s*(?:or|\/|\|)\s/i.test(after)) return undefined
  const isKeyOf = /^(?:the )?(?:primary key|id|identifier) of the /i.test(match[0])
  return {
    path: path.split('.'),
    ...(column !== undefined && { column }),
    ...(isKeyOf && { isKeyOf: true as const }),
  }
}

/**
 * Matches a claim that the values of this column alone are unique: `unique per shop` and `unique identifier of …`
 * say less.
 */
const UNIQUE =
  /^(?:this (?:column )?)?(?:(?:values? )?(?:is|are|must be|has to be|have to be|always|globally)\s+)*(?:globally |always )?unique(?<after>.*)$/i

const UNIQUE_AT_THE_END = /[(,:–-]\s*(?:must be|has to be|is|are) (?:globally )?unique\s*\)?$/i

function saysUnique(sentence: string): boolean {
  if (endsWith(UNIQUE_AT_THE_END, sentence)) return true
  const { after } = UNIQUE.exec(sentence)?.groups ?? {}
  if (after === undefined || TAKEN_BACK.test(sentence.replace(/\bnot null\b/gi, ''))) return false
  return /^\s*(?:$|\)|,\s*(?:not null|required|indexed|case.insensitive)|constraint$|index$|key$|values?$|across\b)/i.test(
    after,
  )
}

const LIST =
  /(?:^|[\s(:,-])(?:(?:must be |is |are |can be |has to be )?(?:exactly )?one of(?: the following(?: values)?)?|(?:possible|valid|allowed|accepted|permitted|legal)\s+(?:values|options|states|statuses|codes|types)(?:\s+(?:are|is|include only))?|values(?=\s*:)|enum(?:eration)?(?=\s*[:([]))\s*[:=]?\s*[([{]?(?<list>.+)$/i

/** An open list does not count: `e.g.`, `etc`, `such as`. */
const OPEN_LIST =
  /\b(?:e\.?g|etc|such as|like|for example|for instance|example|examples|including|includes?|among others?|and (?:so on|others|more)|or (?:other|others|similar|any|another|more)|others?|currently|so far|more)\b|…|\.\.\.|\+$/i

const MOST_VALUES = 50
const LONGEST_VALUE = 60

function readValues(sentence: string): readonly ColumnValue[] | undefined {
  const match = LIST.exec(sentence)
  const list = match?.groups?.['list']
  if (!match || list === undefined || !isMeant(sentence, match.index) || OPEN_LIST.test(sentence))
    return undefined
  const items = splitList(withoutClosing(list))
  const values = items.map(readValue)
  const known = values.filter((value): value is string => value !== undefined)
  const isClosed = known.length === values.length && known.length >= 2 && known.length <= MOST_VALUES
  return isClosed && new Set(known).size === known.length ? numbersWhere(known) : undefined
}

/** Removes a bracket that closes one from before the list: `(a, b)`. */
function withoutClosing(list: string): string {
  const isOpened = /^[^([{]*[)\]}]\s*$/.test(list)
  return isOpened ? list.replace(/[)\]}]\s*$/, '') : list
}

/**
 * Splits a list at commas, bars and slashes, and at `or` and `and` between the last two; not within quotes or
 * parentheses.
 */
function splitList(list: string): readonly string[] {
  const pieces = list.match(/(?:"[^"]*"|'[^']*'|`[^`]*`|\([^)]*\)|\s+(?!(?:or|and)\s)|[^,|/"'`(\s])+/gi) ?? []
  return pieces
    .flatMap((piece) => piece.split(/^(?:or|and)\s+(?=\S)/i))
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '' && !/^(?:or|and)$/i.test(piece))
}

/** Returns one value without its meaning: `A = active`, `1 (low)`, `'new'`. */
function readValue(item: string): string | undefined {
  const { quoted, bare } =
    /^(?:["'`](?<quoted>[^"'`]*)["'`]|(?<bare>[\w+.-]+))(?:\s*(?:=|:|-|–|—|\(|\bfor\b|\bmeans\b).*)?$/i.exec(
      item,
    )?.groups ?? {}
  const value = quoted ?? bare
  return value === undefined || value === '' || value.length > LONGEST_VALUE ? undefined : value
}

function numbersWhere(values: readonly string[]): readonly ColumnValue[] {
  return values.every((value) => /^-?(?:0|[1-9]\d{0,14})$/.test(value)) ? values.map(Number) : values
}
