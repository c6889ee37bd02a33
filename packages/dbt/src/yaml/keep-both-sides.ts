import { isDeepStrictEqual } from 'node:util'
import { compareText } from '@stagecraft/spec'
import { parseDocument } from 'yaml'

/** The lines of a file: common ones, or both sides of a conflict. */
type Segment = readonly string[] | { readonly ours: readonly string[]; readonly theirs: readonly string[] }

const MARKER = /^(<{7}|\|{7}|={7}|>{7})(?: .*)?\r?$/

/**
 * Resolves git's conflicts in a properties file if both sides only add to it: it keeps every line of both. The result has
 * the data of both sides and nothing else. Undefined for other conflicts, and without any.
 */
export function keepBothSides(text: string): string | undefined {
  const segments = segmentsOf(text)
  if (!segments || segments.every((segment) => Array.isArray(segment))) return undefined
  let before: readonly string[] = []
  for (const [at, segment] of segments.entries()) {
    const after = segments.slice(at + 1).flatMap(oursOf)
    const kept = 'ours' in segment ? bothOf(segment, { before, after }) : segment
    if (!kept) return undefined
    before = 'ours' in segment ? kept.slice(0, kept.length - after.length) : [...before, ...kept]
  }
  return before.join('\n')
}

const oursOf = (segment: Segment): readonly string[] => ('ours' in segment ? segment.ours : segment)

/** Returns undefined for markers in another order, and for a conflict in which a side changes or removes lines. */
function segmentsOf(text: string): readonly Segment[] | undefined {
  const segments: Segment[] = []
  let [common, ours, base, theirs]: string[][] = [[], [], [], []]
  let side = common
  let expected = '<'
  for (const line of text.split('\n')) {
    const [, marker = ''] = MARKER.exec(line) ?? []
    const sign = marker[0]
    if (sign === undefined) side?.push(line)
    else if (!expected.includes(sign)) return undefined
    else if (sign === '<') {
      segments.push(common ?? [])
      ;[ours, base, theirs] = [[], [], []]
      ;[side, expected] = [ours, '|=']
    } else if (sign === '|') [side, expected] = [base, '=']
    else if (sign === '=') [side, expected] = [theirs, '>']
    else {
      const isBlank = (lines: readonly string[] = []): boolean => lines.join('').trim() === ''
      if (!isBlank(base) || isBlank(ours) || isBlank(theirs)) return undefined
      segments.push({ ours: ours ?? [], theirs: theirs ?? [] })
      common = []
      ;[side, expected] = [common, '<']
    }
  }
  return expected === '<' ? [...segments, common ?? []] : undefined
}

/** The number of lines that git may have taken from an entry because both sides have them. */
const SHARED = 40

interface Around {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/**
 * Puts both sides one after the other. Lines before and behind a conflict that belong to the entries of both sides are
 * repeated: git shows equal lines once, even in the middle of an entry.
 */
function bothOf(
  { ours, theirs }: Exclude<Segment, readonly string[]>,
  { after, before }: Around,
): readonly string[] | undefined {
  const wanted = union(tryRead([...before, ...ours, ...after]), tryRead([...before, ...theirs, ...after]))
  if (wanted === undefined) return undefined
  const orders = [
    [ours, theirs],
    [theirs, ours],
  ] as const
  const wasBlank = before.length > 0 && before.at(-1)?.trim() === ''
  const found = orders.flatMap(([first, second]) =>
    Array.from({ length: SHARED }, (_, many) => [
      { head: [], tail: after.slice(0, many) },
      { head: many === 0 ? [] : before.slice(-many), tail: [] },
    ])
      .flat()
      .flatMap(({ head, tail }) => {
        const between = [...tail, ...head]
        const lines = [...before, ...first, ...between, ...second, ...after]
        const data = tryRead(lines)
        if (data === undefined || !isDeepStrictEqual(ordered(data), ordered(wanted))) return []
        const isBlank = [...first, ...between].at(-1)?.trim() === ''
        return { lines, descents: descentsIn(data), isUneven: isBlank !== wasBlank }
      }),
  )
  const [best] = found.toSorted(
    (a, b) =>
      a.descents - b.descents || Number(a.isUneven) - Number(b.isUneven) || a.lines.length - b.lines.length,
  )
  return best?.lines
}

/** Returns undefined for invalid YAML, and for a key that occurs twice, of which dbt would read one. */
function tryRead(lines: readonly string[]): unknown {
  const document = parseDocument(lines.join('\n'), { logLevel: 'silent', prettyErrors: false, merge: true })
  try {
    return document.errors.length > 0 ? undefined : document.toJS()
  } catch {
    return undefined // an alias of another document
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nameIn(value: unknown): string | undefined {
  return isMap(value) && typeof value['name'] === 'string' ? value['name'] : undefined
}

/** Returns the data of both sides; undefined if they differ in a value that both have. */
function union(ours: unknown, theirs: unknown): unknown {
  if (isDeepStrictEqual(ours, theirs)) return ours
  if (Array.isArray(ours) && Array.isArray(theirs)) return unionOfLists(ours, theirs)
  if (!isMap(ours) || !isMap(theirs)) return undefined
  const pairs = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].map((key) => {
    const isShared = key in ours && key in theirs
    return [key, isShared ? union(ours[key], theirs[key]) : (ours[key] ?? theirs[key])] as const
  })
  return pairs.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(pairs)
}

function unionOfLists(ours: readonly unknown[], theirs: readonly unknown[]): readonly unknown[] | undefined {
  const same = (one: unknown): ((other: unknown) => boolean) => {
    const name = nameIn(one)
    return (other) => (name === undefined ? isDeepStrictEqual(one, other) : nameIn(other) === name)
  }
  const shared = ours.map((one) => {
    const other = theirs.find(same(one))
    return other === undefined ? one : union(one, other)
  })
  const added = theirs.filter((one) => !ours.some(same(one)))
  return shared.includes(undefined) ? undefined : [...shared, ...added]
}

/** Puts lists in one order, since the order of the sides decides that of their entries. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(ordered).toSorted((a, b) => compareText(JSON.stringify(a), JSON.stringify(b)))
  if (!isMap(value)) return value
  const keys = Object.keys(value).toSorted()
  return Object.fromEntries(keys.map((key) => [key, ordered(value[key])]))
}

/** Counts entries whose names sort before that of the entry above. */
function descentsIn(value: unknown): number {
  if (!Array.isArray(value)) return isMap(value) ? sum(Object.values(value).map(descentsIn)) : 0
  const names = value.map((one) => nameIn(one) ?? '')
  return names.filter((name, at) => name < (names[at - 1] ?? '')).length + sum(value.map(descentsIn))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
