import type { CatalogTable } from '@stagecraft/spec'
import type { Score } from './figures.ts'
import type { PlanDatabase, TrueKey } from './plan-database.ts'
import type { ReadColumn, ReadModel } from './read-model.ts'

/** A table, the model that came of it, and what the rules alone make of it. */
export interface Measured {
  readonly table: CatalogTable
  readonly model: ReadModel
  readonly byRules: ReadModel
}

/** Holds the tests that say what identifies a row against the true keys. */
export function countUnique(measured: readonly Measured[], { keys }: PlanDatabase): Score {
  return score(measured.flatMap(uniqueKeys), keys.map(printKey))
}

/** Holds the tests of relationships against the true foreign keys. */
export function countReferences(measured: readonly Measured[], { references }: PlanDatabase): Score {
  return score(
    measured.flatMap((one) => referencesOf(one, measured)),
    references.map((key) => `${printKey(key)} -> ${printKey(key.parent)}`),
  )
}

/** Each key once, whoever says it and how often. */
function score(said: readonly string[], truths: readonly string[]): Score {
  const proposed = new Set(said)
  const truth = new Set(truths)
  return {
    hits: [...proposed].filter((key) => truth.has(key)).length,
    proposed: proposed.size,
    truth: truth.size,
  }
}

function printKey({ columns, table }: TrueKey): string {
  return `${table}(${columns
    .map((column) => column.toLowerCase())
    .toSorted()
    .join(', ')})`
}

const COMBINATION = 'dbt_utils.unique_combination_of_columns'

function uniqueKeys({ model, table }: Measured): readonly string[] {
  const single = model.columns.filter(({ tests }) => tests.some(({ name }) => name === 'unique'))
  const sets = model.tests
    .filter(({ name }) => name === COMBINATION)
    .map((test) => test.arguments['combination_of_columns'] as readonly string[])
  return [...single.map(({ name }) => [name]), ...sets].map((names) =>
    printKey({ table: table.name, columns: names.map((name) => storedName(name, model)) }),
  )
}

/** `to: ref('stg_shop__customers')` and `field: customer_id`, back in the names of the source. */
function referencesOf({ model, table }: Measured, all: readonly Measured[]): readonly string[] {
  const found = (column: ReadColumn) =>
    column.tests
      .filter(({ name }) => name === 'relationships')
      .map((test) => {
        const parent = all.find((other) => test.arguments['to'] === `ref('${other.model.name}')`)
        const field = String(test.arguments['field'])
        const child = columnOf({ model, table }, column.name)
        return `${child} -> ${parent ? columnOf(parent, field) : field}`
      })
  return model.columns.flatMap(found)
}

function columnOf({ model, table }: Pick<Measured, 'model' | 'table'>, staged: string): string {
  return printKey({ table: table.name, columns: [storedName(staged, model)] })
}

/** No name of the source where the column is not made of exactly one. */
function storedName(staged: string, { columns }: ReadModel): string {
  const { reads = [] } = columns.find(({ name }) => name === staged) ?? {}
  return reads.length === 1 ? (reads[0] ?? staged) : `${staged} of ${reads.length} columns`
}
