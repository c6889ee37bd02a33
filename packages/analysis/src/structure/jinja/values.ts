/** A value while a template is worked out. */
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

/** A value that is only known when dbt runs. What is worked out from it is not known either. */
export class Unknown {
  /** What it is: `the macro star`, lower case. */
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

/** Ends the work on a template that cannot be finished. */
export class Unworkable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Unworkable'
  }
}

/** The text that stands in SQL for a value that is not known: a call, so that it fits where an expression or a table does. */
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

/** The items that a loop goes through; undefined for what cannot be looped over. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  if (isList(value)) return value
  if (value instanceof Dict) return [...value.entries.keys()]
  if (value instanceof Undefined) return []
  return typeof value === 'string' ? Array.from(value) : undefined
}

/** The first unknown value in a value, however deep. */
export function unknownIn(value: Value): Unknown | undefined {
  if (value instanceof Unknown) return value
  const inner = isList(value) ? value : value instanceof Dict ? [...value.entries.values()] : []
  for (const item of inner) {
    const found = unknownIn(item)
    if (found) return found
  }
  return undefined
}

/** JavaScript data as a value: what YAML says below `vars:`. */
export function toValue(data: unknown): Value {
  if (data === null || typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean')
    return data
  if (Array.isArray(data)) return data.map(toValue)
  if (data instanceof Date) return data.toISOString()
  if (typeof data === 'object')
    return new Dict(Object.entries(data).map(([key, value]) => [key, toValue(value)]))
  return new Undefined('value')
}
