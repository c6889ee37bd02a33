import type { RunSettings } from '../config/settings.ts'
import { compareNames, compareText } from '../source-name/stored-name.ts'
import { KINDS } from './kinds.ts'
import type { FindParent, Parent } from './parents.ts'
import type { Plan } from './plan.ts'
import type { PlanContext } from './plan-context.ts'
import { findProjectParent } from './project-parents.ts'
import { identityOf, separateNames } from './separate-names.ts'
import { shapeOf } from './staging.ts'
import { createSubject, type RunItem, type Subject } from './subject.ts'

/** A plan that is made when it is asked for, so that a run of any size holds few at a time. */
export interface PlannedItem {
  readonly subject: Subject
  /** What the plan is made from. */
  readonly context: PlanContext
  plan(): Plan
}

/**
 * Plans tables together: their order is that of their names, whatever order they come in; names that two of
 * them want are told apart; foreign keys find the models of their parents.
 */
export function planRun(items: readonly RunItem[], run: RunSettings): readonly PlannedItem[] {
  const sorted = items
    .map((item) => createSubject(item, run))
    .toSorted((a, b) => compareNames(a.name, b.name) || compareText(a.kind, b.kind))
  const subjects = separateNames(sorted)
  const findParent = createFinder(subjects, run)
  return subjects.map((subject) => {
    const context = { subject, findParent }
    return { subject, context, plan: () => KINDS[subject.kind].plan(context) }
  })
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
  const { columns, rows } = shapeOf(subject)
  const names = new Map(columns.map(({ column, name }) => [column?.name, name]))
  return {
    model: subject.modelName,
    columnName: (stored) => names.get(stored),
    dropsRows: rows.where !== undefined,
  }
}
