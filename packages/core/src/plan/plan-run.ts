import { type ProjectModel, StagecraftError, type Warning, compareText } from '@stagecraft/spec'
import { type RunSettings, settingsFor } from '../config/settings.ts'
import { nameColumn } from '../naming/column-name.ts'
import { toSnakeCase } from '../naming/tokens.ts'
import { type Claim, claimNames, shorten } from '../naming/unique-names.ts'
import { type StoredName, compareNames } from '../source-name.ts'
import { MODEL_PARTS } from './model-types.ts'
import type { Plan, PlannedTest } from './plan.ts'
import { shapeOf } from './staging.ts'
import {
  type FindParent,
  type Parent,
  type PlanContext,
  type Subject,
  describeEntity,
  inSource,
  isOnlyNumbered,
  modelNameOf,
  plainName,
  shareEntities,
} from './subject.ts'

/** Returns the model of the user's project that stages a table, by the name that the table would get here. */
function findProjectParent(table: StoredName, run: RunSettings): Parent | undefined {
  const name = modelNameOf(table, 'staging', run)
  const model = run.project?.models.find((other) => other.name === name)
  if (!model) return undefined
  return {
    model: name,
    columnName: (stored) => columnIn(model, stored, { table, run }),
    key: undefined,
    spell: (column) => column,
    familyOf: () => undefined,
    dropsRows: model.filtersRows ?? true, // if unknown, children may miss a parent
  }
}

interface OfTable {
  readonly table: StoredName
  readonly run: RunSettings
}

/**
 * Returns the column of a person's model for a stored column. Only columns in its SQL or its documentation count,
 * because a test of a missing column would fail.
 */
function columnIn(
  { columns, selects = {} }: ProjectModel,
  stored: string,
  { run, table }: OfTable,
): string | undefined {
  const selected = Object.entries(selects).find(([column]) => column.toLowerCase() === stored.toLowerCase())
  if (selected) return selected[1]
  const documented = new Map(columns?.map((column) => [column.toLowerCase(), column]))
  return likelyNames(stored, table, run)
    .map((likely) => documented.get(likely.toLowerCase()))
    .find(Boolean)
}

/** Returns the names under which a key column of the parent may be staged. */
function likelyNames(stored: string, table: StoredName, run: RunSettings): readonly string[] {
  const settings = settingsFor(run, table, {})
  const entity = describeEntity(table, settings)
  const { candidates } = nameColumn(
    { name: stored, ordinal: 1, family: 'integer', isMetadata: false },
    {
      entity: entity.singular,
      dialect: run.dialect,
      rules: settings.naming,
      vocabulary: settings.vocabulary,
      splits: settings.naming.splitting !== 'never',
    },
  )
  return [...candidates.map(({ name }) => name), stored]
}

/** Resolves equal names of sources, tables and models of a run. */
function separateNames(subjects: readonly Subject[]): readonly Subject[] {
  return separateModels(separateSources(subjects))
}

/** Returns the identity of a table, as a key for maps. */
function identityOf({ database, schema, table }: StoredName): string {
  return JSON.stringify([database ?? '', schema ?? '', table])
}

/** Makes two sources of two schemas with equal names: the later one gets its database in front. */
function separateSources(subjects: readonly Subject[]): readonly Subject[] {
  const placeOf = ({ name }: Subject): string => identityOf({ ...name, table: '' })
  const { names } = claimOnce(subjects, placeOf, Infinity, ({ name, dbtSource }) => ({
    candidates: [
      dbtSource,
      ...(name.database === undefined ? [] : [`${plainName(name.database)}_${dbtSource}`]),
    ],
    rank: 0,
  }))
  return subjects.map((subject) => {
    const name = names.get(placeOf(subject)) ?? subject.dbtSource
    if (name === subject.dbtSource) return subject
    const message = `the schema ${subject.name.schema ?? ''} is the dbt source ${name}, because another schema of the run is ${subject.dbtSource}`
    return {
      ...inSource(subject, name),
      warnings: [...subject.warnings, { code: 'NAME_COLLISION', message }],
    }
  })
}

/**
 * Resolves names that differ only in case, and equal names: a configured name stays, else that of the first table;
 * the others get numbers.
 */
function separateModels(subjects: readonly Subject[]): readonly Subject[] {
  const limit = subjects[0]?.settings.dialect.identifiers.maxBytes ?? Infinity
  const tableOf = ({ name }: Subject): string => identityOf(name)
  const modelOf = ({ name, type }: Subject): string => `${type} ${identityOf(name)}`
  const tables = claimOnce(subjects, tableOf, Infinity, ({ dbtSource, settings, tableName }) => ({
    candidates: [`${dbtSource}.${tableName}`],
    rank: settings.table.name === undefined ? 1 : 0,
  }))
  const models = claimOnce(subjects, modelOf, limit, (subject) => ({
    candidates: [subject.modelName],
    rank: modelRank(subject),
  }))
  return subjects.map((subject) => {
    const table = tableOf(subject)
    const model = modelOf(subject)
    if (!tables.numbered.has(table) && !models.numbered.has(model)) return subject
    const modelName = models.names.get(model) ?? subject.modelName
    const tableName = tables.names.get(table)?.slice(subject.dbtSource.length + 1) ?? subject.tableName
    return {
      ...subject,
      tableName,
      modelName,
      reasons: {
        ...subject.reasons,
        ...(tables.numbered.has(table) && { table: 'numbered' as const }),
        ...(models.numbered.has(model) && { model: [...subject.reasons.model, 'numbered' as const] }),
      },
      warnings: [...subject.warnings, collision(subject, modelName)],
    }
  })
}

/** A table that keeps its dbt name has priority over tables with that stored name, and these over similar ones. */
function modelRank({ modelName, name, settings }: Subject): number {
  const { table } = settings
  if (table.model !== undefined) return 0
  if (table.name !== undefined && !isOnlyNumbered(name, settings)) return 1
  return modelName.endsWith(toSnakeCase(name.table)) ? 2 : 3
}

interface ClaimedOnce {
  /** By identity. */
  readonly names: ReadonlyMap<string, string>
  /** The identities whose name got a number. */
  readonly numbered: ReadonlySet<string>
}

/** Claims a name for each distinct identity: a table that is requested twice is one table. */
function claimOnce(
  subjects: readonly Subject[],
  identify: (subject: Subject) => string,
  limit: number,
  claimOf: (subject: Subject) => Claim,
): ClaimedOnce {
  const distinct = new Map(subjects.map((subject) => [identify(subject), claimOf(subject)]))
  const claims = [...distinct.values()]
  const { names, numbered } = claimNames(claims, limit)
  const identities = [...distinct.keys()]
  return {
    names: new Map(identities.map((identity, index) => [identity, names[index] ?? ''])),
    numbered: new Set([...numbered].flatMap((index) => identities[index] ?? [])),
  }
}

function collision({ modelName, name }: Subject, given: string): Warning {
  return {
    code: 'NAME_COLLISION',
    message: `${name.table} is modelled as ${given}, because another table of the run is modelled as ${modelName}`,
  }
}

/** A test and its column; a test of the whole model has none. */
interface PlacedTest {
  readonly test: PlannedTest
  readonly column: string | undefined
}

/**
 * Returns the name that dbt gives a generic test: kind, model, and arguments in the order of their names. Each run of
 * other characters becomes one underscore. dbt hashes a long name, so equal names stay equal.
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

/** Returns the names that dbt would give to several tests of these models. Only one plan at a time is in memory. */
function findClashes(plans: Iterable<Plan>): ReadonlySet<string> {
  const seen = new Set<string>()
  const clashes = new Set<string>()
  for (const plan of plans) {
    for (const placed of testsOf(plan)) {
      const name = dbtName(placed, plan.model.name)
      if (seen.has(name)) clashes.add(name)
      seen.add(name)
    }
  }
  return clashes
}

function testsOf({ columns, model }: Plan): readonly PlacedTest[] {
  return [
    ...model.tests.map((test) => ({ test, column: undefined })),
    ...columns.flatMap(({ name, tests }) => tests.map((test) => ({ test, column: name }))),
  ]
}

/** The longest name of a relation in PostgreSQL, where dbt may store the failures of a test. */
const LONGEST = 63

/**
 * Gives every test with a clashing name its own name. Two underscores mark the end of the model's name; the position
 * of the column distinguishes tests of one model.
 */
function nameTests(plan: Plan, clashes: ReadonlySet<string>): Plan {
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
 * Returns the models whose tests may clash: those with a name that begins with another model's name, that other
 * model, and those with column names that dbt does not print unchanged.
 */
function mayClash(
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

/** A plan that is made on demand, so that a run of any size keeps few in memory. */
export interface PlannedItem {
  readonly subject: Subject
  /** The input of the plan. */
  readonly context: PlanContext
  plan(): Plan
}

/**
 * Plans tables together, sorted by name: resolves equal names, and finds the parent models of foreign keys.
 */
export function planRun(given: readonly Subject[], run: RunSettings): readonly PlannedItem[] {
  const sorted = given.toSorted((a, b) => compareNames(a.name, b.name) || compareText(a.type, b.type))
  const subjects = separateNames(shareEntities(sorted))
  const findParent = createFinder(subjects, run)
  const plan = (subject: Subject): Plan => MODEL_PARTS[subject.type].plan({ subject, findParent })
  const clashes = once(() => clashesOf(subjects, plan))
  return subjects.map((subject) => ({
    subject,
    context: { subject, findParent },
    plan: () => nameTests(plan(subject), clashes()),
  }))
}

/**
 * Returns the names of tests that clash in dbt. Only few models of a run can have such tests; these are planned
 * twice.
 */
function clashesOf(subjects: readonly Subject[], plan: (subject: Subject) => Plan): ReadonlySet<string> {
  const models = subjects.map(({ columns, modelName, settings }) => ({
    name: modelName,
    columns: settings.naming.columns === 'snake' ? [] : columns.map(({ name }) => name),
  }))
  const suspects = mayClash(models)
  const tested = subjects.filter(
    ({ modelName, settings }) => settings.options.addTests && suspects.has(modelName),
  )
  return findClashes(possiblePlans(tested, plan))
}

/** Plans tables one by one; a failure is reported when the table is printed. */
function* possiblePlans(subjects: readonly Subject[], plan: (subject: Subject) => Plan): Generator<Plan> {
  for (const subject of subjects) {
    try {
      yield plan(subject)
    } catch (error) {
      if (!(error instanceof StagecraftError)) throw error
    }
  }
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}

/** Looks in the run first, then in the user's project. */
function createFinder(subjects: readonly Subject[], run: RunSettings): FindParent {
  const staged = new Map(
    subjects.filter(({ type }) => type !== 'snapshot').map((subject) => [identityOf(subject.name), subject]),
  )
  const parents = new Map<Subject, Parent>()
  return (table) => {
    const subject = staged.get(identityOf(table)) ?? staged.get(identityOf({ ...table, database: undefined }))
    if (!subject) return findProjectParent(table, run)
    const parent = parents.get(subject) ?? parentOf(subject, run)
    parents.set(subject, parent)
    return parent
  }
}

function parentOf(subject: Subject, run: RunSettings): Parent {
  const byPerson = run.project?.models.find(({ name, selects }) => selects && name === subject.modelName)
  const { columns, key, rows } = shapeOf(subject)
  const staged = new Map(columns.map((column) => [column.column?.name, column]))
  const spellings = new Map(columns.map(({ column }) => [column?.name.toLowerCase(), column?.name]))
  return {
    model: subject.modelName,
    columnName: (stored) =>
      byPerson ? columnIn(byPerson, stored, { table: subject.name, run }) : staged.get(stored)?.alias,
    key: key?.columns.length === 1 && !key.repeats ? key.columns[0] : undefined,
    spell: (column) => spellings.get(column.toLowerCase()),
    familyOf: (stored) => staged.get(stored)?.family,
    dropsRows: byPerson?.filtersRows ?? rows.where !== undefined,
  }
}
