import {
  type Explanation,
  type Generation,
  type GenerationRequest,
  StagecraftError,
  type Table,
} from '@stagecraft/spec'
import { createRun } from './run/create-run.ts'
import type { ProjectGeneration } from './run/print-run.ts'
import type { GenerateContext, GenerateItem } from './run/run-item.ts'

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
 * table without columns; GENERATION_FAILED when a template fails or prints something else than was planned.
 */
export function generate(request: GenerationRequest, table: Table, context: GenerateContext): Generation {
  const [only] = createRun([{ request, table }], context).tables
  if (!only) throw new StagecraftError('GENERATION_FAILED', 'nothing was generated')
  return only.generate()
}

/**
 * Says why `generate` makes what it makes of a table: of each decision the rule, its evidence, and the keys of
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
 * Generates for several tables together: one sources file and one models file per source, whatever order the
 * tables come in.
 *
 * @throws {StagecraftError} As `generate` does, for the first table at fault.
 */
export function generateProject(items: readonly GenerateItem[], context: GenerateContext): ProjectGeneration {
  // An edit comes from the checks of a run and from nowhere else.
  return createRun(
    items.map(({ request, table }) => ({ request, table })),
    context,
  ).files()
}
