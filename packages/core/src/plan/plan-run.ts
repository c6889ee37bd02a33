import { StagecraftError, compareText } from '@stagecraft/spec'
import type { RunSettings } from '../config/settings.ts'
import { compareNames } from '../source-name/stored-name.ts'
import { KINDS } from './kinds.ts'
import type { FindParent, Parent } from './parents.ts'
import type { Plan } from './plan.ts'
import type { PlanContext } from './plan-context.ts'
import { findProjectParent } from './project-parents.ts'
import { identityOf, separateNames } from './separate-names.ts'
import { shapeOf } from './staging.ts'
import { findClashes, mayClash, nameTests } from './test-names.ts'
import { shareEntities, type Subject } from './subject.ts'

/** A plan that is made when it is asked for, so that a run of any size holds few at a time. */
export interface PlannedItem {
  readonly subject: Subject
  /** The input of the plan. */
  readonly context: PlanContext
  plan(): Plan
}

/**
 * Plans tables together: their order is that of their names, whatever order they come in; names that two of
 * them want are told apart; foreign keys find the models of their parents.
 */
export function planRun(given: readonly Subject[], run: RunSettings): readonly PlannedItem[] {
  const sorted = given.toSorted((a, b) => compareNames(a.name, b.name) || compareText(a.kind, b.kind))
  const subjects = separateNames(shareEntities(sorted))
  const findParent = createFinder(subjects, run)
  const plan = (subject: Subject): Plan => KINDS[subject.kind].plan({ subject, findParent })
  const clashes = once(() => clashesOf(subjects, plan))
  return subjects.map((subject) => ({
    subject,
    context: { subject, findParent },
    plan: () => nameTests(plan(subject), clashes()),
  }))
}

/** The names of tests that clash in dbt, which only few models of a run can have; those are planned twice. */
function clashesOf(subjects: readonly Subject[], plan: (subject: Subject) => Plan): ReadonlySet<string> {
  const models = subjects.map(({ columns, modelName, settings }) => ({
    name: modelName,
    columns: settings.naming.columns === 'snake' ? [] : columns.map(({ name }) => name),
  }))
  const suspects = mayClash(models)
  const tested = subjects.filter(
    ({ modelName, settings }) => settings.options.addTests && suspects.has(modelName),
  )
  return findClashes(tested.flatMap((subject) => tryPlan(() => plan(subject))))
}

/** Plans a table, or returns nothing if that fails; the failure is reported when the table is printed. */
function tryPlan(plan: () => Plan): readonly Plan[] {
  try {
    return [plan()]
  } catch (error) {
    if (error instanceof StagecraftError) return []
    throw error
  }
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}

/** Looks in the run first, then in the user's project. */
function createFinder(subjects: readonly Subject[], run: RunSettings): FindParent {
  const staged = new Map(
    subjects.filter(({ kind }) => kind !== 'snapshot').map((subject) => [identityOf(subject.name), subject]),
  )
  const parents = new Map<Subject, Parent>()
  return (table) => {
    const subject = staged.get(identityOf(table)) ?? staged.get(identityOf({ ...table, database: undefined }))
    if (!subject) return findProjectParent(table, run)
    const parent = parents.get(subject) ?? parentOf(subject)
    parents.set(subject, parent)
    return parent
  }
}

function parentOf(subject: Subject): Parent {
  const { columns, key, rows } = shapeOf(subject)
  const staged = new Map(columns.map((column) => [column.column?.name, column]))
  const spellings = new Map(columns.map(({ column }) => [column?.name.toLowerCase(), column?.name]))
  return {
    model: subject.modelName,
    columnName: (stored) => staged.get(stored)?.name,
    key: key?.columns.length === 1 && !key.repeats ? key.columns[0] : undefined,
    spell: (column) => spellings.get(column.toLowerCase()),
    familyOf: (stored) => staged.get(stored)?.family,
    dropsRows: rows.where !== undefined,
  }
}
