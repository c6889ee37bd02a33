import type { ColumnValue } from '@stagecraft/spec'
import type { Fact } from './facts.ts'
import { type Json, isJson, toJson, toText, toTexts } from './json.ts'
import type { RelationIndex } from './relation-index.ts'

type Read = (values: Json, index: RelationIndex) => Fact | undefined

/** The fact that each test states about the rows, by the test's full name. */
const TESTS: Readonly<Record<string, Read>> = {
  not_null: (values) => withColumn(values, (column) => ({ kind: 'required', column })),
  unique: (values) => withColumn(values, (column) => ({ kind: 'unique', columns: [column] })),
  accepted_values: (values) =>
    withColumn(values, (column) => {
      const accepted = readValues(values)
      return accepted && { kind: 'values', column, values: accepted }
    }),
  relationships: (values, index) =>
    withColumn(values, (column) => {
      const target = index.find(values['to'])
      const field = toText(values['field'])
      if (!target || field === undefined) return undefined
      return { kind: 'foreign', columns: [column], target: target.id, targetColumns: [unquote(field)] }
    }),
  'dbt_utils.unique_combination_of_columns': (values) => {
    const columns = toTexts(values['combination_of_columns'])
    return columns && { kind: 'unique', columns: columns.map(unquote) }
  },
}

/** Reads the facts that a project's tests state, by the unique id of the table. */
export function readTestFacts(nodes: Json, index: RelationIndex): ReadonlyMap<string, readonly Fact[]> {
  const facts = Object.values(nodes).flatMap((node) => readTest(toJson(node), index))
  const groups = Map.groupBy(facts, ({ id }) => id)
  return new Map([...groups].map(([id, group]) => [id, group.map(({ fact }) => fact)]))
}

function readTest(node: Json, index: RelationIndex): readonly { readonly id: string; readonly fact: Fact }[] {
  const test = node['test_metadata']
  if (!isJson(test) || !holdsForAllRows(toJson(node['config']))) return []
  const given = toJson(test['kwargs'])
  // if the project has arguments in a separate block, dbt may leave them there
  const values = { ...given, ...toJson(given['arguments']) }
  const attached = toText(node['attached_node'])
  const relation = attached === undefined ? index.find(values['model']) : index.byId.get(attached)
  const name = [toText(test['namespace']), toText(test['name'])]
    .filter((part) => part !== undefined)
    .join('.')
  const fact = relation && TESTS[name]?.(values, index)
  return relation && fact ? [{ id: relation.id, fact }] : []
}

/** A test that only warns, filters rows or tolerates failures proves nothing about all rows. */
function holdsForAllRows(config: Json): boolean {
  const isWarning = toText(config['severity'])?.toLowerCase() === 'warn'
  const isStrict = /^(?:!=|>)\s*0$/.test(toText(config['error_if']) ?? '!= 0')
  return config['enabled'] !== false && !config['where'] && isStrict && !isWarning
}

function withColumn(values: Json, read: (column: string) => Fact | undefined): Fact | undefined {
  const column = toText(values['column_name'])
  return column === undefined ? undefined : read(unquote(column))
}

/**
 * Reads accepted values. With `quote: false` they are expressions, and only numbers and booleans are
 * understood.
 */
function readValues(given: Json): readonly ColumnValue[] | undefined {
  const values: unknown = given['values']
  const items: readonly unknown[] = Array.isArray(values) ? values : []
  const read = items.map((value) => (given['quote'] === false ? toBareValue(value) : toValue(value)))
  const known = read.filter((value) => value !== undefined)
  return known.length === read.length && known.length > 0 ? known : undefined
}

function toBareValue(value: unknown): ColumnValue | undefined {
  if (typeof value !== 'string') return toValue(value)
  return /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined
}

function toValue(value: unknown): ColumnValue | undefined {
  const isValue = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isValue ? value : undefined
}

/** Removes the quotes that dbt adds to a column with `quote: true`. */
function unquote(name: string): string {
  return /^["`[](.*)["`\]]$/s.exec(name)?.[1] ?? name
}
