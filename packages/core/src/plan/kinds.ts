import type { ModelKind } from '@stagecraft/spec'
import type { Plan } from './plan.ts'
import type { PlanContext } from './plan-context.ts'
import { planSnapshot } from './snapshot.ts'
import { planStaging } from './staging.ts'

/** The parts that make up a kind of model. Its names and folders are rows of the presets. */
export interface Kind {
  readonly plan: (context: PlanContext) => Plan
  /** Name of the template that prints the SQL. */
  readonly template: 'staging.sql' | 'snapshot.sql'
  /** The list in the YAML file that the entry belongs to. */
  readonly yamlList: 'models' | 'snapshots'
}

/** Every kind of model; a kind of the spec without a row does not compile. */
export const KINDS: Readonly<Record<ModelKind, Kind>> = {
  staging: { plan: planStaging, template: 'staging.sql', yamlList: 'models' },
  base: { plan: planStaging, template: 'staging.sql', yamlList: 'models' },
  snapshot: { plan: planSnapshot, template: 'snapshot.sql', yamlList: 'snapshots' },
}
