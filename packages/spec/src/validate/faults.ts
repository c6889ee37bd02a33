import type { Fault } from '../errors.ts'

/** The members of a schema's issue that are read. */
export interface Issue {
  readonly code: string
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly expected?: unknown
  readonly origin?: string
  readonly format?: string
  readonly minimum?: number | bigint
  readonly maximum?: number | bigint
  readonly inclusive?: boolean
  readonly keys?: readonly string[]
  readonly values?: readonly unknown[]
  readonly errors?: readonly (readonly Issue[])[]
}

/** A fault with the path to it, for looking up its line. */
export interface LocatedFault extends Fault {
  readonly segments: readonly PropertyKey[]
}

/** Converts a schema's issues to faults. */
export function toFaults(
  issues: readonly Issue[],
  input: unknown,
  keysAt: (path: readonly PropertyKey[]) => readonly string[],
): readonly LocatedFault[] {
  return withoutFollowing(issues.flatMap((issue) => flatten(issue))).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys')
      return [faultAt(issue.path, expectation(issue), valueAt(input, issue.path))]
    const known = keysAt(issue.path)
    return (issue.keys ?? []).map((key) => unknownKey([...issue.path, key], known))
  })
}

/** Drops faults of length and format if the type is wrong too, because the type must be fixed first. */
function withoutFollowing(issues: readonly Issue[]): readonly Issue[] {
  const place = ({ path }: Issue): string => JSON.stringify(path.map(String))
  const mistyped = new Set(issues.filter(({ code }) => code === 'invalid_type').map(place))
  const bounded = issues.filter(({ code }) => code === 'too_big')
  return issues.filter((issue) => {
    if (issue.code === 'invalid_type') return true
    // An integer schema has a limit of its own, before the one that it declares.
    const isRepeated =
      issue.code === 'too_big' && bounded.findLast((one) => place(one) === place(issue)) !== issue
    return !isRepeated && !mistyped.has(place(issue))
  })
}

/** Replaces a union by the branch that matched deepest, because it describes the fault best. */
function flatten(issue: Issue): readonly Issue[] {
  if (!issue.errors) return [issue]
  const depth = (branch: readonly Issue[]): number => Math.max(0, ...branch.map(({ path }) => path.length))
  const [best, ...others] = issue.errors.toSorted((a, b) => depth(b) - depth(a))
  const isDeeper = best && others.every((branch) => depth(branch) < depth(best))
  if (!isDeeper) {
    const expected = issue.errors.flatMap((branch) => branch.slice(0, 1).map(expectation)).join(' or ')
    return [{ code: 'union', path: issue.path, message: issue.message, expected }]
  }
  return best.flatMap((inner) => flatten({ ...inner, path: [...issue.path, ...inner.path] }))
}

function expectation(issue: Issue): string {
  if (issue.values) return issue.values.map((value) => JSON.stringify(value)).join(' or ')
  if (issue.code === 'invalid_type') return TYPE_NAMES[String(issue.expected)] ?? String(issue.expected)
  if (issue.code === 'too_small' || issue.code === 'too_big') return limit(issue)
  if (issue.code === 'union') return String(issue.expected)
  const { [issue.format ?? '']: format } = FORMATS
  if (format !== undefined && issue.message.startsWith('Invalid ')) return format
  return issue.message.replace(/^(?:Invalid input: expected|expected) /, '')
}

/** Words a limit of a number, of a text's length, or of the length of a list. */
function limit({ code, inclusive, maximum, minimum, origin }: Issue): string {
  const [word, bound] = code === 'too_small' ? ['at least', minimum] : ['at most', maximum]
  if (origin === 'string' || origin === 'array') {
    const [what, unit] = origin === 'string' ? ['text', 'character'] : ['a list', 'item']
    if (word === 'at least' && bound === 1) return `${what} that is not empty`
    return `${what} of ${word} ${bound} ${unit}${bound === 1 ? '' : 's'}`
  }
  if (inclusive === false) return `a number ${code === 'too_small' ? 'greater' : 'less'} than ${bound}`
  return `a number of ${word} ${bound}`
}

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a time such as 2026-01-31T12:00:00Z',
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/** Returns the fault of a value that is not as expected. */
export function faultAt(segments: readonly PropertyKey[], expected: string, value: unknown): LocatedFault {
  return { path: segments.map(String).join('.'), segments, expected, received: describe(value) }
}

/** Returns the fault of a key that does not exist. */
export function unknownKey(segments: readonly PropertyKey[], known: readonly string[]): LocatedFault {
  const expected = known.length === 0 ? 'no key of this name' : `one of the keys ${known.join(', ')}`
  return { ...faultAt(segments, expected, undefined), received: `the key "${String(segments.at(-1))}"` }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  )
}

/** Prints a value for an error message: short, and on one line. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object') return 'an object'
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
