import {
  type Explanation,
  type Generation,
  type GenerationRequest,
  StagecraftError,
  type Table,
} from '@stagecraft/spec'
import { createRun } from './run/create-run.ts'
import type { ProjectGeneration } from './run/print-run.ts'
import { type GenerateContext, type GenerateItem, printItem } from './run/run-item.ts'

/**
 * Generates the dbt code for one table. Pure: the same input gives the same bytes.
 *
 * @example
 * const { code, schema } = generate(
 *   { type: 'staging', source: 'raw.stripe.payments', options: { addTests: true } },
 *   { columns: [{ name: 'id', type: 'NUMBER(38,0)' }], primaryKey: ['id'] },
 *   { dialect: 'snowflake' },
 * )
 * @throws {StagecraftError} INVALID_REQUEST for a faulty request, table or configuration; INVALID_SOURCE for a
 * table without columns; GENERATION_FAILED if a template fails or does not print the plan.
 */
export function generate(request: GenerationRequest, table: Table, context: GenerateContext): Generation {
  const [only] = createRun([{ request, table }], context).tables
  if (!only) throw new StagecraftError('GENERATION_FAILED', 'nothing was generated')
  return only.generate()
}

/**
 * Explains the result of `generate` for a table: the rule of each decision, its evidence, and the keys of
 * `stagecraft.yml` that change it. Pure.
 *
 * @example
 * const { columns } = explain({ type: 'staging', source: 'raw.stripe.payments' }, table, { dialect: 'snowflake' })
 * columns[0]?.decisions.find(({ about }) => about === 'name')?.reasons
 * @throws {StagecraftError} As `generate` does for a faulty request, table or configuration.
 */
export function explain(request: GenerationRequest, table: Table, context: GenerateContext): Explanation {
  const [only] = createRun([{ request, table }], context).tables
  if (!only) throw new StagecraftError('GENERATION_FAILED', 'nothing was generated')
  return only.explain()
}

/**
 * Generates for several tables together: one sources file and one models file per source, whatever order the tables
 * come in. A table that is given twice counts once.
 *
 * @throws {StagecraftError} As `generate` does, for the first faulty table; INVALID_REQUEST for a table that is given
 * twice in different ways.
 */
export function generateProject(items: readonly GenerateItem[], context: GenerateContext): ProjectGeneration {
  // edits come only from the checks of a run
  const given = items.map(({ request, table }) => ({ request, table }))
  const run = createRun(given, context)
  const paths = run.tables.map((table) => table.place().paths.model)
  const once = given.filter((_, index) => paths.indexOf(paths[index] ?? '') === index)
  if (once.length === given.length) return run.files()
  for (const [index, item] of given.entries()) {
    const first = paths.indexOf(paths[index] ?? '')
    const other = given[first]
    if (other && printItem(item) !== printItem(other))
      throw StagecraftError.invalid({
        path: `items[${index}]`,
        expected: 'each table once',
        received: `${item.request.source}, which differs from items[${first}], ${other.request.source}, and has the same model`,
      })
  }
  return createRun(once, context).files()
}
