import type { Fault } from '@stagecraft/spec'

/** The members of a schema's issue that are read. */
export interface Issue {
  readonly code: string
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly expected?: unknown
  readonly origin?: unknown
  readonly keys?: readonly string[]
  readonly values?: readonly unknown[]
  readonly errors?: readonly (readonly Issue[])[]
}

/** A fault with the path to it in parts, for looking up its line. */
export interface LocatedFault extends Fault {
  readonly segments: readonly PropertyKey[]
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  object: 'an object',
  string: 'a text',
}

/**
 * Converts the issues of a schema to faults.
 *
 * @param keys The keys of an object, by the key that it stands under.
 */
export function toFaults(
  issues: readonly Issue[],
  input: unknown,
  keys: Readonly<Record<string, readonly string[]>>,
): readonly LocatedFault[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      return [faultAt(issue.path, expectation(issue), valueAt(input, issue.path))]
    }
    const under = issue.path.findLast((segment) => typeof segment === 'string') ?? ''
    return (issue.keys ?? []).map((key) => unknownKey([...issue.path, key], keys[under] ?? []))
  })
}

/** The fault of a value that is not what was expected. */
export function faultAt(segments: readonly PropertyKey[], expected: string, value: unknown): LocatedFault {
  return { path: segments.map(String).join('.'), segments, expected, received: describe(value) }
}

/** The fault of a key that there is no such key. */
export function unknownKey(segments: readonly PropertyKey[], known: readonly string[]): LocatedFault {
  const received = `the key "${String(segments.at(-1))}"`
  return { ...faultAt(segments, `one of the keys ${known.join(', ')}`, undefined), received }
}

function expectation(issue: Issue): string {
  if (issue.code === 'invalid_type') return TYPE_NAMES[String(issue.expected)] ?? String(issue.expected)
  if (issue.values) return issue.values.map((value) => JSON.stringify(value)).join(' or ')
  if (issue.code === 'too_small')
    return `${TYPE_NAMES[String(issue.origin)] ?? 'something'} that is not empty`
  return issue.errors?.flatMap((branch) => branch.slice(0, 1).map(expectation)).join(' or ') ?? issue.message
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  )
}

/** A value as a message shows it: short, and on one line. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
