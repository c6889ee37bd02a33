import { type Claims, createRun } from '@stagecraft/core/run'
import type { ColumnExplanation, Decision, Explanation } from '@stagecraft/spec'
import { sameTokens } from '../merge/same-tokens.ts'
import { lockKey } from '../lock/lock.ts'
import type { ArrangedTable } from './arrange-tables.ts'
import type { PlanInput } from './plan-input.ts'
import { explainOwnSql, type OwnModel } from './explain-own-sql.ts'
import { modelNames } from './model-names.ts'
import { planModels } from './plan-models.ts'
import { readAll, readTables } from './plan-project.ts'
import { configOfNow, followRenames } from './follow-renames.ts'
import { findSource } from './project-view.ts'
import { readParents } from './read-parents.ts'
import type { References } from './rename-columns.ts'
import { selectedNames } from './selected-names.ts'
import type { SqlSyntax } from '../merge/scan-sql.ts'
import { isLost, readOwnSql } from './own-sql.ts'

/** A table with an explainable model, and its names in dbt. */
export interface ExplainedTable {
  readonly model: string
  /** The dbt source, and the table in it. */
  readonly source: string
  readonly table: string
  /** The source name as it was asked for. */
  readonly asked: string
  /** The stored names of its columns. */
  readonly columns: readonly string[]
  /** Explains the model. */
  readonly explain: () => Explanation
}

/**
 * Explains the models of tables as `planProject` plans them: by the rules, and by earlier decisions of the project.
 *
 * @throws {StagecraftError} The error of the first faulty table.
 */
export async function explainProject(given: PlanInput): Promise<readonly ExplainedTable[]> {
  const input = await readParents(followRenames(given))
  const { arranged, known } = await readTables(input)
  const paths = arranged.tables.filter(({ isSelected }) => isSelected).map(({ model }) => model.path)
  const models = await planModels(arranged, input, new Map([...known, ...(await readAll(input, paths))]))
  const finals = new Map(models.files.map(({ after, path }) => [path, after]))
  const { references } = modelNames(arranged, models, input.syntax).after
  const config = configOfNow(input.setup.config ?? {}, input)
  const run = createRun(input.items, { ...input.setup, config })
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
          withParents(
            withOwnSql(
              withProject(table, byRules.get(table.key)?.explain(), input),
              { table, final: finals.get(table.model.path) },
              input,
            ),
            references,
          ),
      }
    })
}

/** Replaces the explanation of a model by that of a person's SQL. */
function withOwnSql(
  explanation: Explanation,
  { final, table: { model, wanted } }: { readonly table: ArrangedTable; readonly final: string | undefined },
  { syntax }: PlanInput,
): Explanation {
  if (model.owner === 'taken' || final === undefined || sameTokens(final, wanted.sql, syntax))
    return explanation
  const raw = wanted.item.table.columns.map(({ name }) => name)
  const own = { path: model.path, generated: wanted.sql, final, raw }
  return explainOwnSql(explainClaims(explanation, { claims: wanted.claims(), own, syntax }), own, syntax)
}

const REFERENCE = /^(?<before>relationships to ref\('(?<model>[^']+)'\) field )(?<field>.+)$/

/** Names the columns of other models as these select them; what they do not select is not tested. */
function withParents(explanation: Explanation, references: References): Explanation {
  if (references.names.size + references.filtered.size === 0) return explanation
  const say = (decision: Decision): Decision => {
    const { before = '', field = '', model = '' } = REFERENCE.exec(decision.value ?? '')?.groups ?? {}
    const own = references.names.get(model)?.get(field)
    if (own === undefined) return decision
    if (own) return { ...decision, value: `${before}${own.name}` }
    const { value: _, ...rest } = decision
    const reason = {
      rule: 'test.parent',
      text: `${model} does not select ${field}, so it is not tested`,
    }
    return { ...rest, reasons: [{ ...reason, evidence: 'project' }] }
  }
  const columns = explanation.columns.map((column) => ({ ...column, decisions: column.decisions.map(say) }))
  return { ...explanation, columns }
}

/** Marks decisions where the project overrides the rules. */
function withProject(
  { model, wanted }: ArrangedTable,
  byRules: Explanation | undefined,
  { project }: PlanInput,
): Explanation {
  const explanation = wanted.explain()
  const { name = '', ...table } = wanted.item.table
  const declared = findSource(project, { ...table, name })
  const declares = `${declared?.source.path ?? 'the project'} declares it so`
  const reads = `${model.path} is already the model of the table`
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

/**
 * Explains the columns of a model that a person wrote or changed. Claims that hold only for generated SQL are in no
 * file, and the name of an event may be more specific.
 */
function explainClaims(
  explanation: Explanation,
  { claims, own, syntax }: { readonly claims: Claims; readonly own: OwnModel; readonly syntax: SqlSyntax },
): Explanation {
  const names = selectedNames(own, syntax)
  const sql = readOwnSql(own, claims, syntax)
  const explain = (column: ColumnExplanation): ColumnExplanation => {
    const claim = claims.columns.get(column.name ?? '')
    if (claim === undefined || column.name === undefined) return column
    const way = sql.columns.get(column.name)
    const named = names.get(column.name)
    const described = way === undefined && named ? claim.describeAs(named.name) : undefined
    const decisions = column.decisions.map((decision): Decision => {
      const { about, value } = decision
      if (about === 'description' && described !== undefined)
        return byPerson(decision, described, `${own.path} names it so, edited by hand`)
      if (way === undefined || value === undefined || !isLost(claim, way)) return decision
      const text = `${own.path} selects it in another way, for which ${JSON.stringify(value)} may be wrong`
      if (about === 'description' && value === claim.description?.text)
        return byPerson(decision, claim.description.otherwise, text)
      return about === 'test' && claim.tests.includes(value.split(' ')[0] ?? '')
        ? byPerson(decision, undefined, text)
        : decision
    })
    return { ...column, decisions }
  }
  return { ...explanation, columns: explanation.columns.map(explain) }
}

function byPerson({ about, keys }: Decision, value: string | undefined, text: string): Decision {
  const reasons = [{ rule: `${about}.project`, evidence: 'project' as const, text }]
  return { about, ...(value !== undefined && { value }), reasons, keys }
}
