import { isDeepStrictEqual } from 'node:util'
import { asEntry } from './change.ts'
import type { YamlEntry, YamlValue } from './yaml-edit.ts'

/** The identity of a test; all other keys configure how it runs. */
export interface TestIdentity {
  /** `unique`, `dbt_utils.accepted_range`. */
  readonly name: string
  readonly arguments: YamlEntry
}

/** Keys that configure a test: https://docs.getdbt.com/reference/data-test-configs */
const CONFIGURATION = new Set([
  'alias',
  'arguments',
  'config',
  'database',
  'description',
  'enabled',
  'error_if',
  'fail_calc',
  'group',
  'limit',
  'meta',
  'name',
  'schema',
  'severity',
  'store_failures',
  'store_failures_as',
  'tags',
  'test_name',
  'warn_if',
  'where',
])

/** Tests that a column or table may have several times, distinguished by arguments. */
const MANY = new Set(['expression_is_true', 'unique_combination_of_columns'])

/** Reads a test in all forms of dbt; undefined for anything else. */
export function readTest(test: YamlValue): TestIdentity | undefined {
  if (typeof test === 'string') return { name: withoutDbt(test), arguments: {} }
  const entry = asEntry(test)
  const named = entry['test_name']
  if (typeof named === 'string') return { name: withoutDbt(named), arguments: argumentsOf(entry) }
  const [name, ...others] = Object.keys(entry).filter((key) => key !== 'config' && key !== 'description')
  if (name === undefined || others.length > 0) return undefined
  return { name: withoutDbt(name), arguments: argumentsOf(asEntry(entry[name])) }
}

/** `dbt.not_null` is `not_null`. */
function withoutDbt(name: string): string {
  return name.replace(/^dbt\./, '')
}

/** Arguments are below `arguments:` since dbt 1.10.5, and beside the configuration before. */
function argumentsOf(entry: YamlEntry): YamlEntry {
  const flat = Object.entries(entry).filter(([key]) => !CONFIGURATION.has(key))
  const all = { ...Object.fromEntries(flat), ...asEntry(entry['arguments']) }
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, plain(value, key)]))
}

/** Values are a set, and dbt ignores the spelling of numbers, quotes and white space. */
function plain(value: YamlValue, key: string): YamlValue {
  if (Array.isArray(value)) {
    const texts = value.map((item: YamlValue) =>
      typeof item === 'object' ? JSON.stringify(item) : String(item),
    )
    return key === 'values' ? [...new Set(texts)].toSorted() : texts
  }
  if (typeof value === 'string') return value.replaceAll(/\s+/g, '').replaceAll('"', "'")
  return value
}

/** Returns true if two tests are equal. */
export function isSameTest(a: TestIdentity, b: TestIdentity): boolean {
  return a.name === b.name && isDeepStrictEqual(a.arguments, b.arguments)
}

/** Returns true if a test replaces another: the same test with other arguments. */
export function isRival(a: TestIdentity, b: TestIdentity): boolean {
  return (
    a.name === b.name &&
    a.arguments['column_name'] === b.arguments['column_name'] &&
    !MANY.has(a.name.split('.').at(-1) ?? '') &&
    !isDeepStrictEqual(a.arguments, b.arguments)
  )
}
