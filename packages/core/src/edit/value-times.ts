import type { Family } from '@stagecraft/dialects'
import type { ConvertedValue } from './converted-value.ts'
import { withParts } from './expression-tree.ts'
import * as names from './value-names.ts'

const TIMES: ReadonlySet<Family> = new Set<Family>(['date', 'time', 'timestamp_ntz', 'timestamp_tz'])

/** Names of the same zone, each with words that people say for it. */
const ZONES: readonly (readonly [zone: RegExp, said: string])[] = [
  [/new_york|toronto|us\/eastern|^e[sd]?t$|est5edt/, 'new york toronto eastern est edt et'],
  [/los_angeles|us\/pacific|^p[sd]?t$|pst8pdt/, 'los angeles pacific pst pdt pt'],
  [/chicago|us\/central|^c[sd]t$/, 'chicago central cst cdt ct'],
  [/denver|us\/mountain|^m[sd]t$/, 'denver mountain mst mdt mt'],
  [/berlin|paris|madrid|rome|amsterdam|vienna|zurich|^ces?t$/, 'cet cest mez german germany'],
  [/london|^bst$/, 'london uk bst british'],
  [/kolkata|calcutta|\+0?5:30/, 'kolkata india indian ist'],
  [/tokyo|^jst$/, 'tokyo japan jst'],
]

/** Letters such as `et` and `ist` are words of other meanings too. */
const PLACES = ZONES.flatMap(([, said]) => said.split(' ')).filter((word) => word.length > 3)

const UTC = /^(?:(?:etc\/)?(?:utc|gmt|uct|universal|zulu|z)|[+-]00:00)$/i

/** A zone by its place, its letters or its offset. */
const ZONE = /^(?:[a-z]+\/[a-z_/+-]+\d*|[+-]\d{1,2}:\d\d|[a-z]{1,3}t|[a-z]{3}\d[a-z]{3})$/i

const ZONE_CALLS =
  /^(?:convert_tz|convert_timezone|from_utc_timestamp|to_utc_timestamp|timestamp|datetime|date|time|timezone|totimezone|todatetime|todatetime64|todate|switchoffset|from_tz|with_timezone|at_timezone|format_timestamp|extract)$/i

/** Returns the reason why a moment is read in a zone, or moved to one, that nothing says. */
export function zoneFault({ comment, from, raw, staged, to, tree }: ConvertedValue): string | undefined {
  if ((!TIMES.has(from) && !TIMES.has(to)) || names.saysNothing(raw)) return undefined
  const zones = withParts(tree).flatMap((part) => {
    if (part.kind === 'zone') return part.zone
    if (part.kind !== 'call' || !ZONE_CALLS.test(part.name)) return []
    return part.operands.flatMap((operand) =>
      operand.kind === 'text' && ZONE.test(operand.value) ? operand.value : [],
    )
  })
  const said = new Set([...raw, ...comment, ...staged])
  const others = zones.filter((zone) => !UTC.test(zone))
  const isFounded = others.every((zone) => isSaid(zone.toLowerCase(), said))
  const isWrongUtc = zones.length > 0 && others.length === 0 && isElsewhere(said)
  return isFounded && !isWrongUtc
    ? undefined
    : 'a zone that the name or the comment says; UTC where they say no other'
}

/** Returns true if words say a zone other than UTC. */
function isElsewhere(said: ReadonlySet<string>): boolean {
  if (['utc', 'gmt', 'zulu'].some((word) => said.has(word))) return false
  return said.has('local') || said.has('lcl') || PLACES.some((word) => said.has(word))
}

function isSaid(zone: string, said: ReadonlySet<string>): boolean {
  const [, ...place] = zone.split(/[/_]/)
  const others = ZONES.flatMap(([pattern, words]) => (pattern.test(zone) ? words.split(' ') : []))
  return [zone, ...place, ...others].some((word) => said.has(word))
}

/** Returns the reason why a text is read as a date with day, month and year in another order than it has. */
export function formatFault({ comment, from, raw, to, tree }: ConvertedValue): string | undefined {
  if (!TIMES.has(to) || TIMES.has(from)) return undefined
  const given = withParts(tree).flatMap((part) => (part.kind === 'text' ? (orderOf(part.value) ?? []) : []))
  const said = orderIn(comment) ?? orderIn(raw)
  const isRight = given.every((order) => (said === undefined ? USUAL.has(order) : order === said))
  return isRight ? undefined : 'the order of day, month and year that the comment says, or a usual one'
}

const USUAL: ReadonlySet<string> = new Set(['ymd', 'dmy', 'mdy'])

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
