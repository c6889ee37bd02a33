import { type PlanContext, createSubject } from '../../plan/subject.ts'
import { planRun } from '../../plan/plan-run.ts'
import { type GenerateContext, type GenerateItem, settingsOf, toRunItem } from '../../run/run-item.ts'

/** Returns the plan context of each item, in the given order. */
export function planContexts(
  items: readonly GenerateItem[],
  context: GenerateContext,
): readonly PlanContext[] {
  const settings = settingsOf(context)
  const subjects = items.map((item) => createSubject(toRunItem(item, settings), settings))
  const planned = new Map(planRun(subjects, settings).map((one) => [one.subject.item, one.context]))
  return subjects.flatMap(({ item }) => planned.get(item) ?? [])
}
