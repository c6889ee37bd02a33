import { shorten } from '../naming/shorten.ts'
import type { Plan, PlannedTest } from './plan.ts'

/** A test and the column that it stands on, if it stands on one. */
interface PlacedTest {
  readonly test: PlannedTest
  readonly column: string | undefined
}

/**
 * The name that dbt gives a generic test: kind, model and arguments in the order of their names, what is no plain
 * character as one underscore. Where it is long, dbt takes a hash of it, so that equal names stay equal.
 *
 * Source: `synthesize_generic_test_names` of dbt-core 1.11, core/dbt/parser/generic_test_builders.py.
 */
function dbtName({ column, test }: PlacedTest, model: string): string {
  const named: Readonly<Record<string, unknown>> = {
    ...(column !== undefined && { column_name: column }),
    ...test.arguments,
  }
  const parts = Object.keys(named)
    .toSorted()
    .flatMap((key) => flatten(named[key]))
    .map((text) => text.replace(/[^0-9a-zA-Z_]+/g, '_'))
  return `${test.name.replace('.', '_')}_${model}_${parts.join('__')}`
}

function flatten(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String)
  return [String(value)]
}

/** The names that dbt would give several tests of these models. */
export function findClashes(plans: readonly Plan[]): ReadonlySet<string> {
  const names = plans.flatMap((plan) => testsOf(plan).map((placed) => dbtName(placed, plan.model.name)))
  const counts = Map.groupBy(names, (name) => name)
  return new Set([...counts].filter(([, same]) => same.length > 1).map(([name]) => name))
}

function testsOf({ columns, model }: Plan): readonly PlacedTest[] {
  return [
    ...model.tests.map((test) => ({ test, column: undefined })),
    ...columns.flatMap(({ name, tests }) => tests.map((test) => ({ test, column: name }))),
  ]
}

/** Longest name of a relation in PostgreSQL, where dbt may store what a test finds. */
const LONGEST = 63

/**
 * The plan with a name of its own for every test whose name clashes: two underscores show where the name of the model
 * ends; tests of one model are told apart by the place of their column.
 */
export function nameTests(plan: Plan, clashes: ReadonlySet<string>): Plan {
  if (clashes.size === 0) return plan
  const model = plan.model.name
  const named = (test: PlannedTest, column: string | undefined, place: number): PlannedTest => {
    const name = dbtName({ test, column }, model)
    if (!clashes.has(name)) return test
    const start = `${test.name.replace('.', '_')}_${model}`
    const isTwice = testsOf(plan).filter((other) => dbtName(other, model) === name).length > 1
    const label = `${start}_${name.slice(start.length)}${isTwice ? `_${place}` : ''}`
    return { ...test, label: label.length > LONGEST ? shorten(label, LONGEST) : label }
  }
  return {
    ...plan,
    model: { ...plan.model, tests: plan.model.tests.map((test) => named(test, undefined, 0)) },
    columns: plan.columns.map((column) => ({
      ...column,
      tests: column.tests.map((test) => named(test, column.name, column.ordinal)),
    })),
  }
}

/**
 * The models whose tests may clash: those whose name another one's begins with, and those with names of columns that
 * dbt does not print as they are.
 */
export function mayClash(
  models: readonly { readonly name: string; readonly columns: readonly string[] }[],
): ReadonlySet<string> {
  const names = new Set(models.map(({ name }) => name))
  const found = new Set<string>()
  for (const { columns, name } of models) {
    if (columns.some((column) => /\W/.test(column))) found.add(name)
    for (let end = name.indexOf('_'); end > 0; end = name.indexOf('_', end + 1)) {
      const start = name.slice(0, end)
      if (!names.has(start)) continue
      found.add(start)
      found.add(name)
    }
  }
  return found
}
