/** A value during the evaluation of a template. */
export type Value =
  | string
  | number
  | boolean
  | null
  | readonly Value[]
  | Dict
  | Callable
  | Unknown
  | Undefined
  | Member

/** The arguments of a call. */
export interface Given {
  readonly positional: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

/** A dictionary of Python. Lists and dictionaries change in place, as templates do with `do`. */
export class Dict {
  readonly entries: Map<Value, Value>

  constructor(entries: Iterable<readonly [Value, Value]> = []) {
    this.entries = new Map(entries)
  }
}

/** Something that can be called, and that may have members: `config` and `config.get`. */
export class Callable {
  readonly call: (given: Given) => Value
  readonly members: ReadonlyMap<string, Value>

  constructor(call: (given: Given) => Value, members: Readonly<Record<string, Value>> = {}) {
    this.call = call
    this.members = new Map(Object.entries(members))
  }
}

/** Something that has members and prints as a text: a relation, `target`. */
export class Member {
  readonly text: string
  readonly memberOf: (name: string) => Value

  constructor(text: string, memberOf: (name: string) => Value) {
    this.text = text
    this.memberOf = memberOf
  }
}

/** A value that is only known when dbt runs. Results computed from it are unknown too. */
export class Unknown {
  /** Its description, lower case: `the macro star`. */
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** The value of an undefined name, which prints as an empty text. */
export class Undefined {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** The error of a template that cannot be evaluated. */
export class Unworkable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Unworkable'
  }
}

/** Returns the SQL text of an unknown value: a call, which fits in place of an expression or a table. */
export const UNKNOWN_CALL = 'stagecraft_unknown'

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value)
}

export function isTrue(value: Value): boolean {
  if (isList(value)) return value.length > 0
  if (value instanceof Dict) return value.entries.size > 0
  if (value instanceof Undefined || value instanceof Unknown) return false
  return typeof value === 'object' && value !== null ? true : Boolean(value)
}

/** Prints a value as Python does. */
export function print(value: Value): string {
  if (typeof value === 'string') return value
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return String(value)
  if (isList(value)) return `[${value.map(printInside).join(', ')}]`
  if (value instanceof Dict)
    return `{${[...value.entries].map(([key, inner]) => `${printInside(key)}: ${printInside(inner)}`).join(', ')}}`
  if (value instanceof Unknown) return `${UNKNOWN_CALL}()`
  return value instanceof Member ? value.text : ''
}

function printInside(value: Value): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", String.raw`\'`)}'` : print(value)
}

export function isEqual(left: Value, right: Value): boolean {
  if (isList(left) && isList(right))
    return left.length === right.length && left.every((item, index) => isEqual(item, right[index] ?? null))
  if (left instanceof Dict && right instanceof Dict)
    return (
      left.entries.size === right.entries.size &&
      [...left.entries].every(([key, value]) => isEqual(value, right.entries.get(key) ?? null))
    )
  return left === right
}

/** Returns the items of a loop; undefined for a value that is not iterable. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  if (isList(value)) return value
  if (value instanceof Dict) return [...value.entries.keys()]
  if (value instanceof Undefined) return []
  return typeof value === 'string' ? Array.from(value) : undefined
}

/** Finds the first unknown value in a value, at any depth. */
export function unknownIn(value: Value): Unknown | undefined {
  if (value instanceof Unknown) return value
  const inner = isList(value) ? value : value instanceof Dict ? [...value.entries.values()] : []
  for (const item of inner) {
    const found = unknownIn(item)
    if (found) return found
  }
  return undefined
}

/** Converts JavaScript data to a value, as for `vars:` in YAML. */
export function toValue(data: unknown): Value {
  if (data === null || typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean')
    return data
  if (Array.isArray(data)) return data.map(toValue)
  if (data instanceof Date) return data.toISOString()
  if (typeof data === 'object')
    return new Dict(Object.entries(data).map(([key, value]) => [key, toValue(value)]))
  return new Undefined('value')
}
