import type { Family } from '@stagecraft/dialects'
import { PAST_FORMS } from '../naming/irregular.ts'
import { isFlag } from './column-words.ts'
import { familiesOf } from './name-claims.ts'

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** Words of columns that hold a moment. */
const MOMENTS = words(`
  at date datetime dt dtm dttm begin begun birth birthday checkin checkout commit create creation dob due effective end
  epoch event expire expires expiration expiry from joined last login logout modify moment on posix register
  registration renewal run scheduled seen sent signup since start sync time timestamp tm ts tstamp unix unixtime until
  update upload utc valid visit when
`)

/** Words of columns that hold a length of time, or something counted. */
const MEASURES = words(`
  age amount attempts balance bytes capacity clicks cnt cost count cpu day days delay duration elapsed hits hours id
  idle interval lag latency length lifetime limit num number price qty quantity rate retries rows runtime score size
  speed spent sum timeout total took ttl uptime used views wait year years
`)

/** Words before `time` that make it a length of time. */
const SPANS = words(`
  average avg build cpu cycle delivery execution handle handling hold idle lead load media prep processing queue read
  render response run service session talk think total travel wait waiting walk
`)

const PAST: ReadonlySet<string> = new Set(Object.values(PAST_FORMS))

/** Returns true if a name or a comment says that a number or a text is a moment. */
export function saysMoment(raw: readonly string[], comment: readonly string[]): boolean {
  const isSpan = raw.some((word, index) => word === 'time' && SPANS.has(raw[index - 1] ?? ''))
  if (isSpan || raw.some((word) => MEASURES.has(word))) return false
  const isNamed = raw.some((word) => MOMENTS.has(word) || isPast(word))
  return isNamed || comment.some((word) => /^(?:1970|epoch|unix|timestamp|datetime|when|date)$/.test(word))
}

function isPast(word: string): boolean {
  return PAST.has(word) || (/[a-z]{3}ed$/.test(word) && !/^(?:speed|feed|seed|need|breed|bleed)$/.test(word))
}

/** Returns true if no word of a name has a meaning: single letters and numbers. */
export function saysNothing(raw: readonly string[]): boolean {
  return raw.every((word) => word.length === 1 || /^\d+$/.test(word))
}

/** Words of texts whose digits are no number: leading zeros count, and nobody adds them up. */
const CODES = words(`
  aba account acct barcode bic bin cd code cvv cpf cnpj cusip document ean fax fips gtin iban id ids identifier imei
  isbn isin key license mobile mrn naics ndc no npi num number nr nbr passport phone pin plu po postal postcode ref
  reference routing serial sic siret sku sort ssn swift tax_id tel telephone tin token tracking upc vat vin zip
`)

/** Words of numbers, which win over `number` and `no`. */
const COUNTED = words('count amount total quantity qty price items of')

export function isCode(raw: readonly string[]): boolean {
  return raw.some((word) => CODES.has(word)) && !raw.some((word) => COUNTED.has(word))
}

/** Words of numbers that are whole, even if their type has decimal places. */
const WHOLE = words(`
  age attempts clicks cnt count counts day days floors hits items month months num number ordinal pages people
  population position quarter rank rooms rows seats sequence units version views visits week weeks year years
`)

export function isCounted(raw: readonly string[]): boolean {
  return raw.some((word) => WHOLE.has(word))
}

/** Words of numbers whose small digits matter. */
const PRECISE = words('lat latitude lng lon long longitude rate ratio fx exchange factor share probability')

export function isPrecise(raw: readonly string[]): boolean {
  return raw.some((word) => PRECISE.has(word))
}

const NUMBERS: ReadonlySet<Family> = new Set<Family>(['integer', 'decimal', 'float'])

/**
 * Returns true if the words of a name promise other values than a conversion gives: `created_at` for a date,
 * `email` for a number. A date that becomes a timestamp loses nothing.
 */
export function promisesOther(staged: readonly string[], family: Family, from: Family): boolean {
  if (family === 'other' || (family === 'boolean' && isFlag(staged.join('_')))) return false
  const claimed = new Set(staged.flatMap((word) => familiesOf(word) ?? []))
  if (from === 'string' && claimed.has(from) && NUMBERS.has(family)) return true
  if (claimed.size === 0 || claimed.has(family)) return false
  if (NUMBERS.has(family) && [...NUMBERS].some((one) => claimed.has(one))) return false
  return !(family.startsWith('timestamp') && (claimed.has('date') || claimed.has('time')))
}

/** Pairs of words of which one means the opposite of the other. */
const OPPOSITES: ReadonlyMap<string, string> = new Map(
  [
    ['active', 'inactive'],
    ['enabled', 'disabled'],
    ['visible', 'hidden'],
    ['valid', 'invalid'],
    ['open', 'closed'],
    ['public', 'private'],
    ['locked', 'unlocked'],
    ['published', 'unpublished'],
    ['subscribed', 'unsubscribed'],
    ['optin', 'optout'],
    ['paid', 'unpaid'],
    ['verified', 'unverified'],
    ['read', 'unread'],
    ['available', 'unavailable'],
    ['complete', 'incomplete'],
    ['in', 'out'],
    ['online', 'offline'],
  ].flatMap(([one = '', other = '']) => [
    [one, other],
    [other, one],
  ]),
)

export function oppositeOf(word: string): string | undefined {
  return OPPOSITES.get(word)
}

const NEGATIONS = words('not no non never without')

/** Returns true if one of two names of a boolean means the opposite of the other. */
export function areOpposite(raw: readonly string[], staged: readonly string[]): boolean {
  const isNegated = (list: readonly string[]): boolean =>
    list.filter((word) => NEGATIONS.has(word)).length % 2 === 1
  const isTurned = staged.some((word) => {
    const opposite = OPPOSITES.get(word)
    return opposite !== undefined && raw.includes(opposite) && !raw.includes(word)
  })
  return (isNegated(raw) !== isNegated(staged)) !== isTurned
}

/** Words of texts in which upper and lower case mean the same. */
const CASELESS = words(
  'uuid guid email mail iso case insensitive currency country domain host hex md5 sha256',
)

export function isCaseless(names: readonly string[]): boolean {
  return names.some((word) => CASELESS.has(word))
}
