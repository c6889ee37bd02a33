import { createRun } from '@stagecraft/core/run'
import type { Decision, Explanation } from '@stagecraft/spec'
import { sameTokens } from '../merge/same-tokens.ts'
import { lockKey } from '../lock/lock.ts'
import type { ArrangedTable } from './arrange-tables.ts'
import type { PlanInput } from './plan-input.ts'
import { explainOwnSql } from './explain-own-sql.ts'
import { planModels } from './plan-models.ts'
import { readAll, readTables } from './plan-project.ts'
import { followRenames } from './follow-renames.ts'
import { findSource } from './project-view.ts'

/** A table whose model can be explained, with its names in dbt. */
export interface ExplainedTable {
  readonly model: string
  /** The dbt source, and the table in it. */
  readonly source: string
  readonly table: string
  /** The source name as it was asked for. */
  readonly asked: string
  /** The stored names of its columns. */
  readonly columns: readonly string[]
  /** Says why the model is as it is. */
  readonly explain: () => Explanation
}

/**
 * Says why the models of tables are as `planProject` plans them: by the rules, and by what the project decided already.
 *
 * @throws {StagecraftError} What is wrong with the first faulty table.
 */
export async function explainProject(given: PlanInput): Promise<readonly ExplainedTable[]> {
  const input = followRenames(given)
  const { arranged, known } = await readTables(input)
  const paths = arranged.tables.filter(({ isSelected }) => isSelected).map(({ model }) => model.path)
  const files = await planModels(arranged, input, new Map([...known, ...(await readAll(input, paths))]))
  const finals = new Map(files.map(({ after, path }) => [path, after]))
  const run = createRun(input.items, input.setup)
  const byRules = new Map(input.items.map((item, index) => [lockKey(item), run.tables[index]]))
  return arranged.tables
    .filter(({ isSelected }) => isSelected)
    .map((table) => {
      const { item, place } = table.wanted
      return {
        model: place.model,
        source: place.source,
        table: place.table,
        asked: item.request.source,
        columns: item.table.columns.map(({ name }) => name),
        explain: () =>
          sayOwnSql(
            sayProject(table, byRules.get(table.key)?.explain(), input),
            { table, final: finals.get(table.model.path) },
            input,
          ),
      }
    })
}

/** Says what a model does that a person wrote or changed, in the place of what is generated. */
function sayOwnSql(
  explanation: Explanation,
  { final, table: { model, wanted } }: { readonly table: ArrangedTable; readonly final: string | undefined },
  { syntax }: PlanInput,
): Explanation {
  if (model.owner === 'taken' || final === undefined || sameTokens(final, wanted.sql, syntax))
    return explanation
  const raw = wanted.item.table.columns.map(({ name }) => name)
  return explainOwnSql(explanation, { path: model.path, generated: wanted.sql, final, raw }, syntax)
}

/** Names the project where it decided what the rules would have decided otherwise. */
function sayProject(
  { model, wanted }: ArrangedTable,
  byRules: Explanation | undefined,
  { project }: PlanInput,
): Explanation {
  const explanation = wanted.explain()
  const { name = '', ...table } = wanted.item.table
  const declared = findSource(project, { ...table, name })
  const declares = `${declared?.source.path ?? 'the project'} declares it so`
  const reads = `${model.path} is the model of the table already`
  const texts: Partial<Record<Decision['about'], string>> = {
    model: reads,
    source: declares,
    table: declares,
  }
  const decisions = explanation.decisions.map((decision): Decision => {
    const { about, value } = decision
    const text = texts[about]
    const before = byRules?.decisions.find((other) => other.about === about)
    if (about === 'path' && model.path !== value)
      return { ...byProject(decision, reads), value: model.path, keys: [] }
    if (text === undefined || !before) return decision
    return before.value === value ? before : byProject(decision, text)
  })
  return { ...explanation, decisions }
}

function byProject(decision: Decision, text: string): Decision {
  return { ...decision, reasons: [{ rule: `${decision.about}.project`, evidence: 'project', text }] }
}
