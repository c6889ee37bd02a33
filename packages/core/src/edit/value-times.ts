import type { Family } from '@stagecraft/dialects'
import type { ConvertedValue } from './converted-value.ts'
import { type ExpressionTree, withParts } from './expression-tree.ts'
import * as names from './value-names.ts'

const TIMES: ReadonlySet<Family> = new Set<Family>(['date', 'time', 'timestamp_ntz', 'timestamp_tz'])

/** Names of the same zone, each with words that people say for it. */
const ZONES: readonly (readonly [zone: RegExp, said: string])[] = [
  [/new_york|toronto|us\/eastern|^e[sd]?t$|est5edt/, 'new york toronto eastern est edt et'],
  [/los_angeles|us\/pacific|^p[sd]?t$|pst8pdt/, 'los angeles pacific pst pdt pt'],
  [/chicago|us\/central|^c[sd]t$/, 'chicago central cst cdt ct'],
  [/denver|us\/mountain|^m[sd]t$/, 'denver mountain mst mdt mt'],
  [
    /berlin|paris|madrid|rome|amsterdam|vienna|zurich|^ces?t$/,
    'cet cest mez german germany berlin paris madrid rome amsterdam vienna zurich',
  ],
  [/london|^bst$/, 'london uk bst british'],
  [/kolkata|calcutta|\+0?5:30/, 'kolkata india indian ist'],
  [/tokyo|^jst$/, 'tokyo japan jst'],
]

/** Letters such as `et` and `ist` are words of other meanings too. */
const PLACES = ZONES.flatMap(([, said]) => said.split(' ')).filter((word) => word.length > 3)

const UTC = /^(?:(?:etc\/)?(?:utc|gmt|uct|universal|zulu|z)|[+-]00:00)$/i

/** A zone by its place, its letters or its offset. */
const ZONE = /^(?:[a-z]+\/[a-z_/+-]+\d*|[+-]\d{1,2}:\d\d|[a-z]{1,3}t|[a-z]{3}\d[a-z]{3})$/i

/** The zones that a step reads a moment in, and moves it to. Undefined if it does not say one. */
interface Step {
  readonly source?: string | undefined
  readonly target?: string | undefined
}

/** Returns the reason why a moment is read in a zone, or moved to one, without evidence. */
export function zoneFault({
  comment,
  from,
  raw,
  said,
  staged,
  to,
  tree,
}: ConvertedValue): string | undefined {
  if ((!TIMES.has(from) && !TIMES.has(to)) || names.saysNothing(raw)) return undefined
  const words = [...raw, ...comment]
  // with an offset, UTC is the name of another zone
  const stored = new Set(AWAY.test(said) ? ['local', ...words.filter((word) => !isUtc(word))] : words)
  const shown = new Set([...stored, ...staged])
  const steps = withParts(tree).map((part) => stepOf(part, from))
  const isRead = from === 'timestamp_ntz' && to === 'timestamp_tz'
  if (isRead && isElsewhere(stored) && steps.every(({ source }) => source === undefined)) return ZONE_EXPECTED
  const isFounded = steps.every(
    ({ source, target }) => isStored(source, stored) && isShown(target, shown, new Set(staged)),
  )
  return isFounded ? undefined : ZONE_EXPECTED
}

const ZONE_EXPECTED = 'a zone that the name or the comment says; UTC where they say no other'

/** A zone by its offset or its place. */
const AWAY = /\b(?:utc|gmt)\s?[+-]\s?\d|\b(?:africa|america|asia|australia|europe|pacific)\/[a-z]/i

/** A moment without a zone is in the zone that words say, in UTC by default. */
function isStored(zone: string | undefined, said: ReadonlySet<string>): boolean {
  if (zone === undefined) return true
  if (UTC.test(zone)) return !isElsewhere(said)
  return !saysUtc(said) && isSaid(zone.toLowerCase(), said)
}

/** A moment is moved to a zone that words say, and the new name says no other. */
function isShown(zone: string | undefined, said: ReadonlySet<string>, staged: ReadonlySet<string>): boolean {
  if (zone === undefined) return true
  if (UTC.test(zone)) return saysUtc(staged) || !isElsewhere(staged)
  return isSaid(zone.toLowerCase(), said) && (!saysUtc(staged) || isSaid(zone.toLowerCase(), staged))
}

function stepOf(part: ExpressionTree, from: Family): Step {
  if (part.kind === 'zone') {
    const isRead = from !== 'timestamp_tz' && part.operand.kind !== 'zone'
    return isRead ? { source: part.zone } : { target: part.zone }
  }
  if (part.kind !== 'call') return {}
  const name = part.name.toLowerCase()
  const zones = part.operands.flatMap((operand) =>
    operand.kind === 'text' && (ZONE.test(operand.value) || UTC.test(operand.value)) ? operand.value : [],
  )
  const [first, second] = zones
  if (/^convert_(?:timezone|tz)$/.test(name))
    return second === undefined ? { target: first } : { source: first, target: second }
  if (name === 'from_utc_timestamp') return { source: 'UTC', target: first }
  if (name === 'to_utc_timestamp') return { source: first, target: 'UTC' }
  if (/^(?:datetime|date|time|totimezone|switchoffset|at_timezone|format_timestamp|extract)$/.test(name))
    return { target: first }
  // BigQuery and others read a datetime in UTC
  if (name === 'timestamp' && from === 'timestamp_ntz') return { source: first ?? 'UTC' }
  return ZONE_CALLS.test(name) ? { source: first } : {}
}

const ZONE_CALLS =
  /^(?:timestamp|timezone|todatetime|todatetime64|todate|from_tz|with_timezone|parse_timestamp|from_unixtime)$/

/** Returns true if words say a zone other than UTC. */
function isElsewhere(said: ReadonlySet<string>): boolean {
  if (saysUtc(said)) return false
  return said.has('local') || said.has('lcl') || PLACES.some((word) => said.has(word))
}

function saysUtc(said: ReadonlySet<string>): boolean {
  return [...said].some(isUtc)
}

function isUtc(word: string): boolean {
  return word === 'utc' || word === 'gmt' || word === 'zulu'
}

function isSaid(zone: string, said: ReadonlySet<string>): boolean {
  const [, ...place] = zone.split(/[/_]/)
  const others = ZONES.flatMap(([pattern, words]) => (pattern.test(zone) ? words.split(' ') : []))
  return [zone, ...place, ...others].some((word) => said.has(word))
}

/** Returns the reason why a text is read as a date with day, month and year in another order than it has. */
export function formatFault({ comment, from, raw, said, to, tree }: ConvertedValue): string | undefined {
  if (!TIMES.has(to) || TIMES.has(from) || names.saysNothing(raw)) return undefined
  const formats = withParts(tree).flatMap(formatOf)
  const known = orderIn(comment) ?? orderOf(said) ?? orderOfExample(said) ?? orderIn(raw)
  const isRight = formats.every(([order, format]) =>
    known === undefined ? order === 'ymd' || isDotted(format) : order === known,
  )
  const isWhole = known === undefined || !withParts(tree).some(isPartOfDate)
  return isRight && isWhole && hasClock(tree, said)
    ? undefined
    : 'the order of day, month and year that the comment says; without one, the year first'
}

/** Returns true for a format with a year but without a month or a day: `YYYY` turns all days into the first. */
function isPartOfDate(part: ExpressionTree): boolean {
  if (part.kind !== 'text' || !/^(?:%-?[ymbhdej]|y{2,4}|m{1,4}|d{1,3}|[-/. ,])+$/i.test(part.value))
    return false
  return /yy|%y/i.test(part.value) && !(/[mbh]/i.test(part.value) && /[dej]/i.test(part.value))
}

/** Returns true if an expression reads the time of day in the format that a comment says, if it says one. */
function hasClock(tree: ExpressionTree, said: string): boolean {
  const clock = clockOf(said)
  const given = withParts(tree).flatMap((part) => (part.kind === 'text' ? (clockOf(part.value) ?? []) : []))
  return clock === undefined || given.every((one) => one.startsWith(clock) || clock.startsWith(one))
}

/** Returns the parts of a format of times: `hh24 mi` for `HH24:MI`. */
function clockOf(text: string): string | undefined {
  const [found] = /\bhh(?:12|24)?\W?(?:mi|mm|ss)(?:\W?ss)?/i.exec(text) ?? []
  return found?.toLowerCase().replaceAll(/\W/g, '').replaceAll('mm', 'mi')
}

/** Returns true if an expression or a comment says a format of dates without a time of day. */
export function saysFormat(tree: ExpressionTree, said: string): boolean {
  const formats = withParts(tree).flatMap(formatOf)
  return formats.length > 0 || orderOf(said) !== undefined || orderOfExample(said) !== undefined
}

/** With dots, the day always stands first. */
function isDotted(format: string): boolean {
  return /^(?:%-?[de]|dd?)\.(?:%-?m|mm?)\.(?:%[yY]|y{2,4})/i.test(format)
}

/** Returns a format of dates with its order. */
function formatOf(part: ExpressionTree): readonly (readonly [order: string, format: string])[] {
  if (part.kind === 'text') {
    const order = orderOf(part.value)
    return order === undefined ? [] : [[order, part.value]]
  }
  const style = part.kind === 'cast' ? part.style : undefined
  const found = STYLES.find(([, styles]) => style !== undefined && styles.includes(style))
  return found ? [[found[0], found[2]]] : []
}

/** The styles of T-SQL's `convert`. Source: Microsoft, "CAST and CONVERT (Transact-SQL)", date and time styles. */
const STYLES: readonly (readonly [order: string, styles: readonly number[], format: string])[] = [
  ['mdy', [0, 100, 1, 101, 7, 107, 9, 109, 10, 110, 22], 'mm/dd/yyyy'],
  ['dmy', [4, 104], 'dd.mm.yyyy'],
  ['dmy', [3, 103, 5, 105, 6, 106, 13, 113, 130, 131], 'dd/mm/yyyy'],
  ['ymd', [2, 102, 11, 111, 12, 112, 20, 120, 21, 23, 25, 121, 126, 127], 'yyyy-mm-dd'],
]

/** Returns the order of a date that a comment gives as an example, if its day is after the 12th. */
function orderOfExample(said: string): string | undefined {
  const [, first = '', second = '', third = ''] =
    /(?<!\d)(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})(?!\d)/.exec(said) ?? []
  if (first.length === 4) return Number(second) > 12 ? 'ydm' : 'ymd'
  if (third.length === 4 && Number(first) > 12) return 'dmy'
  return third.length === 4 && Number(second) > 12 ? 'mdy' : undefined
}

/** Returns the order of the parts of a format: `dmy` for `%d.%m.%Y`; undefined for other texts. */
function orderOf(format: string): string | undefined {
  const parts = format.includes('%')
    ? { y: format.search(/%[Yy]/), m: format.search(/%-?[mbBh]/), d: format.search(/%-?[de]/) }
    : { y: format.search(/y{2,4}/i), m: monthIn(format), d: format.search(/d{2}/i) }
  const found = Object.entries(parts)
  if (found.some(([, at]) => at < 0)) return undefined
  return found
    .toSorted(([, one], [, other]) => one - other)
    .map(([part]) => part)
    .join('')
}

/** In the formats of Java, `mm` are minutes. */
function monthIn(format: string): number {
  const upper = format.search(/M{1,4}/)
  return upper < 0 ? format.search(/mm|mon/) : upper
}

/** Returns the order that words say: `dd mm yyyy`, `yyyymmdd`, `iso 8601`. */
function orderIn(words: readonly string[]): string | undefined {
  const format = words.filter((word) => /^(?:y{2,4}|mm|mon|mmm|dd)+$/.test(word)).join('-')
  const isIso = words.some((word, at) => word === 'iso8601' || (word === 'iso' && words[at + 1] === '8601'))
  return orderOf(format) ?? (isIso ? 'ymd' : undefined)
}
