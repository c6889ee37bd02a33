import { DIALECTS } from '@stagecraft/core'
import { createRun } from '@stagecraft/core/run'
import type { CatalogTable, Config, DialectName } from '@stagecraft/spec'
import { parse } from 'yaml'
import { quoteIdentifier } from '../../packages/core/src/sql/identifiers.ts'
import { compileTest, type DataTest, readDataTests } from './data-tests.ts'
import type { Session } from './engine.ts'
import { compile, relationOf, requestFor, run } from './stage.ts'

/** A model of a run, as dbt would send it to the warehouse. */
export interface BuiltModel {
  readonly name: string
  readonly sql: string
  readonly tests: readonly DataTest[]
}

/** Generates the models of tables of one schema together, with tests. */
export function generateModels(
  tables: readonly CatalogTable[],
  dialect: DialectName,
  config: Config = {},
): readonly BuiltModel[] {
  const items = tables.map((table) => ({ request: requestFor(table, dialect), table }))
  const run = createRun(items, { dialect, config, defaults: { addTests: true } })
  return run.tables.map((one, index) => {
    const { code, schema } = one.generate()
    const { models } = parse(schema) as { readonly models: readonly { readonly name: string }[] }
    const table = tables[index]
    if (!table || !models[0]) throw new Error('a table has no model')
    return {
      name: models[0].name,
      sql: compile(code, relationOf(table, dialect)),
      tests: readDataTests(schema, dialect),
    }
  })
}

/** Models as views of a database, which are dropped at the end. */
async function withViews<Result>(
  models: readonly BuiltModel[],
  { dialect, schema, session }: { dialect: DialectName; schema: string; session: Session },
  use: (find: (model: string) => string) => Promise<Result>,
): Promise<Result> {
  const find = (model: string): string =>
    [schema, model].map((part) => quoteIdentifier(part, DIALECTS[dialect])).join('.')
  for (const { name, sql } of models) await session.run(`create view ${find(name)} as ${sql}`)
  try {
    return await use(find)
  } finally {
    for (const { name } of models) await session.run(`drop view ${find(name)}`)
  }
}

/** How many rows fail each test: `stg_raw__orders unique id: 0`. */
export async function countFailures(
  models: readonly BuiltModel[],
  place: { dialect: DialectName; schema: string; session: Session },
): Promise<readonly string[]> {
  return withViews(models, place, async (find) => {
    const found: string[] = []
    for (const { name, tests } of models)
      for (const test of tests) {
        const { rows } = await run(place.session, compileTest(test, name, find, place.dialect))
        const count = /\d+/.exec(rows[0]?.[0] ?? '')?.[0]
        found.push(`${name} ${[test.kind, test.column ?? []].flat().join(' ')}: ${count}`)
      }
    return found
  })
}
