import type { Explanation } from '@stagecraft/spec'
import type { PlannedItem } from '../plan/plan-run.ts'
import { explainColumn, explainLeftOut } from './explain-column.ts'
import { explainModel } from './explain-model.ts'

/**
 * Says why a plan is as it is: of every decision the rule, its evidence, and the keys of `stagecraft.yml` that change it.
 *
 * @param source The source name as it was asked for.
 */
export function explainItem(item: PlannedItem, source: string): Explanation {
  const { subject } = item
  const plan = item.plan()
  return {
    type: plan.type,
    source,
    model: plan.model.name,
    decisions: explainModel(plan, subject),
    columns: [
      ...plan.columns.map((column) => explainColumn(column, plan, subject)),
      ...plan.leftOut.map((column) => explainLeftOut(column, subject)),
    ],
    warnings: plan.warnings,
  }
}
