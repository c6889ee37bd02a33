import type { ModelType } from '@stagecraft/spec'
import type { Plan } from './plan.ts'
import type { PlanContext } from './subject.ts'
import { planSnapshot } from './snapshot.ts'
import { planStaging } from './staging.ts'

/** The parts that make up a type of model. Its names and folders are rows of the presets. */
export interface ModelParts {
  readonly plan: (context: PlanContext) => Plan
  /** Name of the template that prints the SQL. */
  readonly template: 'staging.sql' | 'snapshot.sql'
  /** The list in the YAML file that the entry belongs to. */
  readonly yamlList: 'models' | 'snapshots'
}

/** Every type of model; a type of the spec without a row does not compile. */
export const MODEL_PARTS: Readonly<Record<ModelType, ModelParts>> = {
  staging: { plan: planStaging, template: 'staging.sql', yamlList: 'models' },
  base: { plan: planStaging, template: 'staging.sql', yamlList: 'models' },
  snapshot: { plan: planSnapshot, template: 'snapshot.sql', yamlList: 'snapshots' },
}
