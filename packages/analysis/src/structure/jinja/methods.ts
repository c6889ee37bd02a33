import {
  Dict,
  type Given,
  isEqual,
  isList,
  isTrue,
  itemsOf,
  print,
  Undefined,
  Unknown,
  Unworkable,
  type Value,
} from './values.ts'

/** A function of a value: a filter or a method. */
export type Method = (value: Value, given: Given) => Value

const at = ({ positional }: Given, index: number, other: Value = null): Value => positional[index] ?? other

function named({ named: given, positional }: Given, name: string, index: number): Value | undefined {
  return given.get(name) ?? positional[index]
}

/** Longer texts and lists are refused. */
export const LONGEST = 2_000_000

function limited(text: string): string {
  if (text.length > LONGEST) throw new Unworkable('a macro returns a text that is too long')
  return text
}

const onText =
  (change: (text: string) => string): Method =>
  (value) =>
    limited(change(print(value)))

function strip(text: string, letters: Value, side: 'both' | 'left' | 'right'): string {
  const isCut = (letter: string | undefined): boolean =>
    letter !== undefined && (typeof letters === 'string' ? letters.includes(letter) : letter.trim() === '')
  let [start, end] = [0, text.length]
  if (side !== 'right') while (start < end && isCut(text[start])) start += 1
  if (side !== 'left') while (end > start && isCut(text[end - 1])) end -= 1
  return text.slice(start, end)
}

function replace(value: Value, given: Given): Value {
  const old = print(at(given, 0, ''))
  return old === '' ? print(value) : limited(print(value).replaceAll(old, () => print(at(given, 1, ''))))
}

function split(value: Value, given: Given): Value {
  const separator = at(given, 0)
  const text = print(value)
  return typeof separator === 'string' && separator !== ''
    ? text.split(separator)
    : text.split(/\s+/).filter((word) => word !== '')
}

function format(value: Value, { named: names, positional }: Given): Value {
  let next = 0
  const text = print(value).replaceAll(/\{(\w*)(?::[^{}]*)?\}/g, (_, name: string) => {
    if (name !== '' && !/^\d+$/.test(name)) return print(names.get(name) ?? '')
    const index = name === '' ? next : Number(name)
    next += 1
    return print(positional[index] ?? '')
  })
  return limited(text)
}

/** `"%s of %s" | format(a, b)`. */
function formatPercent(value: Value, { positional }: Given): Value {
  let next = -1
  return limited(
    print(value).replaceAll(/%(?:[sd]|0?\d*d|\.\d+f)/g, () => {
      next += 1
      return print(positional[next] ?? '')
    }),
  )
}

function title(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/(^|[^a-z])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())
}

function toNumber(value: Value, whole: boolean): Value {
  const number = typeof value === 'boolean' ? Number(value) : Number(print(value).trim())
  if (Number.isNaN(number)) return 0
  return whole ? Math.trunc(number) : number
}

function find(value: Value, given: Given): Value {
  return print(value).indexOf(print(at(given, 0, '')))
}

function lengthOf(value: Value): Value {
  if (value instanceof Dict) return value.entries.size
  return itemsOf(value)?.length ?? new Unknown('the length of a value')
}

/** Methods of texts; most of them are filters too. */
const OF_TEXT: Readonly<Record<string, Method>> = {
  lower: onText((text) => text.toLowerCase()),
  upper: onText((text) => text.toUpperCase()),
  capitalize: onText((text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()),
  title: onText(title),
  strip: (value, given) => strip(print(value), at(given, 0), 'both'),
  lstrip: (value, given) => strip(print(value), at(given, 0), 'left'),
  rstrip: (value, given) => strip(print(value), at(given, 0), 'right'),
  replace,
  split,
  format,
  find,
  startswith: (value, given) => print(value).startsWith(print(at(given, 0, ''))),
  endswith: (value, given) => print(value).endsWith(print(at(given, 0, ''))),
  isdigit: (value) => /^\d+$/.test(print(value)),
  splitlines: (value) => print(value).split(/\r?\n/),
  join: (value, given) => limited((itemsOf(at(given, 0)) ?? []).map(print).join(print(value))),
  count: (value, given) => print(value).split(print(at(given, 0, ''))).length - 1,
}

/** Templates change lists in place, so lists are mutable here, and nowhere else. */
function mutable(value: Value): Value[] {
  return value as Value[]
}

function add(value: Value, items: readonly Value[]): Value {
  if (mutable(value).length + items.length > LONGEST / 10)
    throw new Unworkable('a macro returns a list that is too long')
  mutable(value).push(...items)
  return null
}

const OF_LIST: Readonly<Record<string, Method>> = {
  append: (value, given) => add(value, [at(given, 0)]),
  extend: (value, given) => add(value, itemsOf(at(given, 0)) ?? []),
  insert: (value, given) => {
    mutable(value).splice(Number(at(given, 0, 0)), 0, at(given, 1))
    return null
  },
  pop: (value, given) => mutable(value).splice(Number(at(given, 0, -1)), 1)[0] ?? new Undefined('item'),
  remove: (value, given) => {
    const index = mutable(value).findIndex((item) => isEqual(item, at(given, 0)))
    if (index !== -1) mutable(value).splice(index, 1)
    return null
  },
  index: (value, given) => mutable(value).findIndex((item) => isEqual(item, at(given, 0))),
  count: (value, given) => mutable(value).filter((item) => isEqual(item, at(given, 0))).length,
  copy: (value) => [...mutable(value)],
}

function pairs(value: Value): Value {
  return value instanceof Dict ? [...value.entries].map(([key, inner]) => [key, inner]) : []
}

const OF_DICT: Readonly<Record<string, Method>> = {
  items: pairs,
  keys: (value) => (value instanceof Dict ? [...value.entries.keys()] : []),
  values: (value) => (value instanceof Dict ? [...value.entries.values()] : []),
  get: (value, given) =>
    (value instanceof Dict ? value.entries.get(at(given, 0)) : undefined) ?? at(given, 1),
  update: (value, given) => {
    const [other] = given.positional
    if (!(value instanceof Dict)) return null
    for (const [key, inner] of other instanceof Dict ? other.entries : []) value.entries.set(key, inner)
    for (const [key, inner] of given.named) value.entries.set(key, inner)
    return null
  },
  pop: (value, given) => {
    const found = value instanceof Dict ? value.entries.get(at(given, 0)) : undefined
    if (value instanceof Dict) value.entries.delete(at(given, 0))
    return found ?? at(given, 1)
  },
  copy: (value) => new Dict(value instanceof Dict ? value.entries : []),
}

/** Returns the method of a value by name; undefined if there is none. */
export function methodOf(value: Value, name: string): Method | undefined {
  const methods =
    typeof value === 'string' ? OF_TEXT : isList(value) ? OF_LIST : value instanceof Dict ? OF_DICT : {}
  return Object.hasOwn(methods, name) ? methods[name] : undefined
}

function listOf(value: Value): readonly Value[] {
  return itemsOf(value) ?? []
}

function attribute(value: Value, name: string): Value {
  return (value instanceof Dict ? value.entries.get(name) : undefined) ?? new Undefined(name)
}

function map(value: Value, given: Given): Value {
  const key = given.named.get('attribute')
  if (key !== undefined) return listOf(value).map((item) => attribute(item, print(key)))
  const name = print(at(given, 0, ''))
  const filter = filterNamed(name)
  const rest = { positional: given.positional.slice(1), named: given.named }
  return filter ? listOf(value).map((item) => filter(item, rest)) : new Unknown(`the filter ${name}`)
}

const select =
  (isKept: boolean): Method =>
  (value, given) => {
    const name = print(at(given, 0, 'true'))
    const rest = { positional: given.positional.slice(1), named: given.named }
    return listOf(value).filter((item) => testValue(name, item, rest) === isKept)
  }

const selectAttribute =
  (isKept: boolean): Method =>
  (value, given) => {
    const [key, name = 'true'] = given.positional
    const rest = { positional: given.positional.slice(2), named: given.named }
    return listOf(value).filter(
      (item) => testValue(print(name), attribute(item, print(key ?? '')), rest) === isKept,
    )
  }

function unique(value: Value): Value {
  const seen = new Map(listOf(value).map((item) => [print(item).toLowerCase(), item]))
  return [...seen.values()]
}

function compareValues(left: Value, right: Value): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const [one, two] = [print(left).toLowerCase(), print(right).toLowerCase()]
  return one < two ? -1 : one > two ? 1 : 0
}

function sort(value: Value, given: Given): Value {
  const key = given.named.get('attribute')
  const keyOf = (item: Value): Value => (key === undefined ? item : attribute(item, print(key)))
  const sorted = listOf(value).toSorted((left, right) => compareValues(keyOf(left), keyOf(right)))
  return isTrue(named(given, 'reverse', 0) ?? false) ? sorted.toReversed() : sorted
}

function orDefault(value: Value, given: Given): Value {
  const isMissing =
    value instanceof Undefined || (isTrue(named(given, 'boolean', 1) ?? false) && !isTrue(value))
  return isMissing ? at(given, 0, '') : value
}

function indent(value: Value, given: Given): Value {
  const width = Number(named(given, 'width', 0) ?? 4)
  const pad = ' '.repeat(Math.min(Math.max(0, width || 0), 200))
  return limited(print(value).replaceAll('\n', `\n${pad}`))
}

function sum(value: Value, given: Given): Value {
  const key = given.named.get('attribute')
  return listOf(value)
    .map((item) => Number(print(key === undefined ? item : attribute(item, print(key)))))
    .reduce((total, item) => total + item, 0)
}

const FILTERS: Readonly<Record<string, Method>> = {
  ...OF_TEXT,
  trim: (value, given) => strip(print(value), at(given, 0), 'both'),
  format: formatPercent,
  join: (value, given) => {
    const key = given.named.get('attribute')
    const items = listOf(value).map((item) => (key === undefined ? item : attribute(item, print(key))))
    return limited(items.map(print).join(print(at(given, 0, ''))))
  },
  length: lengthOf,
  count: lengthOf,
  list: (value) => [...listOf(value)],
  first: (value) => listOf(value)[0] ?? new Undefined('first'),
  last: (value) => listOf(value).at(-1) ?? new Undefined('last'),
  default: orDefault,
  d: orDefault,
  int: (value) => toNumber(value, true),
  float: (value) => toNumber(value, false),
  string: print,
  map,
  select: select(true),
  reject: select(false),
  selectattr: selectAttribute(true),
  rejectattr: selectAttribute(false),
  unique,
  sort,
  reverse: (value) =>
    typeof value === 'string' ? Array.from(value).toReversed().join('') : [...listOf(value)].toReversed(),
  items: pairs,
  dictsort: (value) => sort(pairs(value), { positional: [], named: new Map() }),
  round: (value, given) =>
    Number(Number(print(value)).toFixed(Math.min(20, Math.max(0, Number(at(given, 0, 0)))))),
  abs: (value) => Math.abs(Number(print(value))),
  sum,
  min: (value) => listOf(value).toSorted(compareValues)[0] ?? new Undefined('min'),
  max: (value) => listOf(value).toSorted(compareValues).at(-1) ?? new Undefined('max'),
  indent,
  wordcount: (value) => print(value).split(/\s+/).filter(Boolean).length,
  escape: print,
  e: print,
  safe: (value) => value,
  as_text: print,
  as_native: (value) => value,
  as_bool: (value) => (typeof value === 'string' ? value.toLowerCase() === 'true' : isTrue(value)),
  as_number: (value) => toNumber(value, false),
}

/** Returns a filter by name; undefined if there is none. */
export function filterNamed(name: string): Method | undefined {
  return Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined
}

type Test = (value: Value, given: Given) => boolean

const TESTS: Readonly<Record<string, Test>> = {
  defined: (value) => !(value instanceof Undefined),
  undefined: (value) => value instanceof Undefined,
  none: (value) => value === null,
  None: (value) => value === null,
  true: (value) => value === true,
  false: (value) => value === false,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  float: (value) => typeof value === 'number' && !Number.isInteger(value),
  mapping: (value) => value instanceof Dict,
  iterable: (value) => itemsOf(value) !== undefined,
  sequence: (value) => itemsOf(value) !== undefined,
  odd: (value) => Math.abs(Number(value)) % 2 === 1,
  even: (value) => Number(value) % 2 === 0,
  divisibleby: (value, given) => Number(value) % Number(at(given, 0, 1)) === 0,
  in: (value, given) => listOf(at(given, 0)).some((item) => isEqual(item, value)),
  equalto: (value, given) => isEqual(value, at(given, 0)),
  eq: (value, given) => isEqual(value, at(given, 0)),
  ne: (value, given) => !isEqual(value, at(given, 0)),
  lower: (value) => print(value) === print(value).toLowerCase(),
  upper: (value) => print(value) === print(value).toUpperCase(),
  sameas: (value, given) => value === at(given, 0),
}

/** Evaluates `value is name`; undefined for an unknown test. */
export function testValue(name: string, value: Value, given: Given): boolean | undefined {
  return Object.hasOwn(TESTS, name) ? TESTS[name]?.(value, given) : undefined
}
