import { createEngine, type EngineAnswer } from '@stagecraft/core'
import {
  type Backend,
  type Catalog,
  type CatalogTable,
  StagecraftError,
  type ViolationCode,
  VIOLATIONS,
} from '@stagecraft/spec'
import { countReferences, countUnique, type Measured } from './count-keys.ts'
import { countTexts, type Figures } from './figures.ts'
import { isViolationCode, type Observations, observe } from './observe-backend.ts'
import type { PlanDatabase } from './plan-database.ts'
import { type DescriptionOrigin, readModel, type ReadModel, type ReadTest } from './read-model.ts'

export interface MeasureOptions {
  /** Without one, the rules alone. */
  readonly backend?: Backend | undefined
  readonly signal?: AbortSignal | undefined
}

const UNOBSERVED: Observations = { calls: 0, repairs: 0, proposed: 0, violations: [] }

/** Has every table of a database planned, and counts what came of it. */
export async function measurePlans(
  database: PlanDatabase,
  { backend, signal }: MeasureOptions = {},
): Promise<Figures> {
  const observed = backend && observe(backend)
  const rules = await plan(database, { signal })
  const answers = observed ? await plan(database, { backend: observed, signal }) : rules
  const measured = await Promise.all(
    database.tables.map(async (table, index) => ({
      table,
      model: await modelOf(answers[index]),
      byRules: await modelOf(rules[index]),
    })),
  )
  const { violations: told, ...others } = observed?.observations() ?? UNOBSERVED
  const observations = { ...others, violations: [...told, ...answers.flatMap(notUsed)] }
  return { ...figuresOfModels(measured, database, observations), ...figuresOfCalls(answers, observations) }
}

async function plan(
  { name, tables }: PlanDatabase,
  { backend, signal }: MeasureOptions,
): Promise<readonly EngineAnswer[]> {
  const engine = createEngine({
    catalog: listed(tables),
    ...(backend && { llm: { backend, onFailure: 'fallback' } }),
    // Keys of several columns are then told by their columns, not by an expression.
    config: { packages: ['dbt_utils'] },
  })
  const answers = await engine.generateEach(
    {
      type: 'staging',
      sources: tables.map((table) => `${name}.${table.name}`),
      options: { addTests: true, addDocs: true, testReasons: true, columnOrder: 'source' },
    },
    { ...(signal && { signal }) },
  )
  return answers.map((answer) => {
    if (answer instanceof StagecraftError) throw answer
    return answer
  })
}

function listed(all: readonly CatalogTable[]): Catalog {
  return {
    dialect: 'duckdb',
    tables: async ({ tables }) =>
      all.filter(({ name }) => !tables || tables.some(({ text }) => text === name)),
    describe: async ({ table }) => {
      const found = all.find(({ name }) => name === table.text)
      if (!found) throw new Error(`expected a table of the database, got ${table.text}`)
      return found
    },
    close: async () => {},
  }
}

async function modelOf(answer: EngineAnswer | undefined): Promise<ReadModel> {
  if (!answer) throw new Error('expected an answer for every table')
  return await readModel(answer.data)
}

type ModelFigures = Omit<Figures, keyof CallFigures>
type CallFigures = Pick<
  Figures,
  'violations' | 'repairs' | 'failures' | 'fallbacks' | 'tokens' | 'isIncomplete' | 'calls'
>

function figuresOfModels(
  measured: readonly Measured[],
  database: PlanDatabase,
  { proposed, violations }: Observations,
): ModelFigures {
  const models = measured.map(({ model }) => model)
  const origins = models.flatMap(({ columns, description }) => [
    description,
    ...columns.map((column) => column.description),
  ])
  const tests = models.flatMap(testsOf)
  const byOrigin = (origin: DescriptionOrigin): number => origins.filter((other) => other === origin).length
  const byBasis = (basis: Basis): number => tests.filter((test) => basisOf(test) === basis).length
  return {
    tables: measured.length,
    columns: total(measured, ({ table }) => table.columns.length),
    kept: total(measured, countKept),
    renamed: total(measured, countRenamed),
    descriptions: { model: byOrigin('model'), rules: byOrigin('rules'), none: byOrigin('none') },
    tests: {
      proposed,
      refused: violations.filter((code) => code === 'ILLEGAL_TEST').length,
      accepted: byBasis('accepted'),
      declared: byBasis('declared'),
      other: byBasis('other'),
    },
    unique: countUnique(measured, database),
    references: countReferences(measured, database),
  }
}

/** Tokens are those that the engine accounts for. */
function figuresOfCalls(
  answers: readonly EngineAnswer[],
  { calls, repairs, violations }: Observations,
): CallFigures {
  const failures = answers.flatMap(failureOf)
  return {
    violations: countTexts([...violations, ...failures.flatMap((failure) => failure.codes)]),
    failures: countTexts(failures.map(({ reason }) => reason)),
    repairs,
    fallbacks: answers.filter(({ meta }) => meta.fallback).length,
    tokens: total(answers, ({ meta }) => meta.tokensUsed),
    isIncomplete: answers.some(({ meta }) => meta.usage?.incomplete),
    calls,
  }
}

/** Why a table has the plan of the rules: `…: the answer broke the rules (NOT_JSON, NAME_TAKEN)`, each code once. */
function failureOf({ data }: EngineAnswer): readonly Failure[] {
  const warning = data.warnings.find(({ code }) => code === 'BACKEND_FAILED')
  if (!warning) return []
  const { groups = {} } =
    /^(?:.* rules decided everything: )?(?<reason>.*?)(?: \((?<codes>[A-Z_, ]+)\))?$/.exec(warning.message) ??
    {}
  const codes = groups['codes']?.split(', ').filter(isViolationCode) ?? []
  return [{ reason: groups['reason'] ?? warning.message, codes }]
}

/** What was left out of answers that were used for the rest. */
function notUsed({ data }: EngineAnswer): readonly ViolationCode[] {
  const messages = data.warnings.flatMap(({ code, message }) => (code === 'EDIT_NOT_USED' ? [message] : []))
  const codes = Object.keys(VIOLATIONS).filter(isViolationCode)
  return messages.flatMap((message) => codes.filter((code) => message.includes(VIOLATIONS[code])))
}

interface Failure {
  readonly reason: string
  readonly codes: readonly ViolationCode[]
}

function total<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0)
}

function countKept({ model, table }: Measured): number {
  const reads = model.columns.flatMap((column) => column.reads)
  return table.columns.filter(({ name }) => reads.filter((read) => read === name.toLowerCase()).length === 1)
    .length
}

function countRenamed({ byRules, model }: Measured): number {
  const names = new Map(byRules.columns.map(({ name, reads }) => [reads.join(), name]))
  return model.columns.filter(({ name, reads }) => names.get(reads.join()) !== name).length
}

const DECLARED = new Set([
  'primary key',
  'unique constraint',
  'foreign key',
  'not null constraint',
  'list of values',
])

type Basis = 'accepted' | 'declared' | 'other'

function basisOf({ evidence = '' }: ReadTest): Basis {
  if (evidence === 'model') return 'accepted'
  return DECLARED.has(evidence) ? 'declared' : 'other'
}

function testsOf({ columns, tests }: ReadModel): readonly ReadTest[] {
  return [...tests, ...columns.flatMap((column) => column.tests)]
}
