import type { Family } from '@stagecraft/dialects'
import { ABBREVIATIONS, TRANSLATIONS } from '../naming/abbreviations.ts'

const NUMBERS: readonly Family[] = ['integer', 'decimal', 'float']
const MOMENTS: readonly Family[] = ['timestamp_ntz', 'timestamp_tz']
const DOCUMENTS: readonly Family[] = ['json', 'struct', 'array', 'map']
const TEXTS: readonly Family[] = ['string', ...DOCUMENTS]

/** Words of names, and the families that a reader expects of such columns. */
const CLAIMS: readonly (readonly [words: string, families: readonly Family[]])[] = [
  ['uuid guid', ['uuid']],
  ['date day', ['date']],
  ['at timestamp datetime utc', MOMENTS],
  ['time', [...MOMENTS, 'time']],
  ['on', [...MOMENTS, 'date']],
  ['is has was are does can should flag indicator boolean yn', ['boolean']],
  [
    'email mail url uri link website domain ip phone telephone mobile fax address street city town county country',
    TEXTS,
  ],
  [
    'name surname firstname lastname title label description text comment note remark message details body currency',
    TEXTS,
  ],
  ['region province postal postcode zip language password hash path file', [...TEXTS, 'binary']],
  ['json', DOCUMENTS],
  ['array list', ['array', 'json']],
  [
    'amount price cost revenue fee total sum balance percent percentage pct ratio rate average discount tax profit margin salary income score',
    NUMBERS,
  ],
  ['count quantity units cents', NUMBERS],
  ['days hours minutes seconds milliseconds duration', [...NUMBERS, 'interval', 'time']],
  ['latitude longitude', [...NUMBERS, 'geo']],
  ['id identifier key', ['integer', 'decimal', 'string', 'uuid', 'binary']],
  ['number', [...NUMBERS, 'string']],
  ['code status type category gender', ['integer', 'decimal', ...TEXTS]],
]

const FAMILIES: ReadonlyMap<string, readonly Family[]> = new Map(
  CLAIMS.flatMap(([words, families]) => words.split(' ').map((word) => [word, families] as const)),
)

/** Words that mark a text or a number as a boolean. */
const YES_OR_NO: ReadonlySet<string> = new Set('is has flag flg ind indicator yn bool can should'.split(' '))

/** States that a number counts or measures. */
const COUNTED: ReadonlySet<string> = new Set(
  'paid default required confirmed completed cancelled canceled approved blocked available allowed opt'.split(
    ' ',
  ),
)

/** A raw name, to compare the claims of a new name with. */
export interface ClaimedFrom {
  readonly words: readonly string[]
  /** True if one of its words marks a boolean. */
  readonly isFlag: boolean
  /** The raw type as it is declared. */
  readonly type: string
}

/**
 * Returns true if a word of a new name promises values that the planned column does not have: `created_date`
 * for a timestamp, `uuid` for a number. A promise that the raw name makes too does not count.
 */
export function claimsOther(words: readonly string[], family: Family, raw: ClaimedFrom): boolean {
  if (family === 'other') return false
  // a time zone is no time
  return words.some((word, index) => words[index + 1] !== 'zone' && isOther(word, family, raw))
}

function isOther(word: string, family: Family, raw: ClaimedFrom): boolean {
  const families = familiesOf(word)
  if (families === undefined || families.includes(family)) return false
  if (raw.words.some((from) => saysSurely(from, word))) return false
  if (families[0] === 'boolean' && holdsYesOrNo(family, raw)) return false
  if (families[0] === 'uuid' && /char\w*\s*\(\s*3[26]\s*\)/i.test(raw.type)) return false
  const claimed = new Set(raw.words.flatMap(claimedBy))
  return claimed.has(family) || !families.some((one) => claimed.has(one))
}

/** Returns the families that a word promises: `days` is a number, and `day` a date. */
export function familiesOf(word: string): readonly Family[] | undefined {
  const families = FAMILIES.get(word) ?? FAMILIES.get(word.replace(/s$/, ''))
  return families?.[0] === 'boolean' ? FAMILIES.get(word) : families
}

/** Returns true if a raw word is the claim itself, or has no other meaning. */
function saysSurely(from: string, word: string): boolean {
  const plain = word.replace(/s$/, '')
  if (from === word || (from.replace(/s$/, '') === plain && FAMILIES.get(word)?.[0] !== 'boolean'))
    return true
  const meanings = TRANSLATIONS.get(from) ?? []
  return meanings.length === 1 && meanings[0] === plain
}

/** The families that a raw word may promise: `dt` is a date or a time. */
function claimedBy(word: string): readonly Family[] {
  const meanings = [word, ...(ABBREVIATIONS.get(word) ?? []), ...(TRANSLATIONS.get(word) ?? [])]
  return meanings.flatMap((meaning) => familiesOf(meaning) ?? [])
}

/** Returns true if a column holds yes or no: `active` does in a text, but may be a count in a number. */
function holdsYesOrNo(family: Family, { isFlag, words }: ClaimedFrom): boolean {
  if (!isFlag) return false
  if (family === 'string' || words.some((word) => YES_OR_NO.has(word))) {
    return family === 'string' || family === 'integer' || family === 'decimal'
  }
  return family === 'integer' && !words.some((word) => COUNTED.has(word))
}
