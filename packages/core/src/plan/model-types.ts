import type { ModelType } from '@stagecraft/spec'
import type { Plan } from './plan.ts'
import type { PlanContext, Subject } from './subject.ts'
import { assertSnapshotKey, planSnapshot } from './snapshot.ts'
import { planStaging } from './staging.ts'

/** The definition of a type of model. Presets have its names and folders. */
export interface ModelParts {
  readonly plan: (context: PlanContext) => Plan
  /** Throws if a table cannot have such a model. */
  readonly check: (subject: Subject) => void
  /** Name of the template that prints the SQL. */
  readonly template: 'staging.sql' | 'snapshot.sql'
  /** The list in the YAML file that the entry belongs to. */
  readonly yamlList: 'models' | 'snapshots'
}

/** Every type of model; a type of the spec without a row does not compile. */
export const MODEL_PARTS: Readonly<Record<ModelType, ModelParts>> = {
  staging: { plan: planStaging, check: acceptAll, template: 'staging.sql', yamlList: 'models' },
  base: { plan: planStaging, check: acceptAll, template: 'staging.sql', yamlList: 'models' },
  snapshot: { plan: planSnapshot, check: assertSnapshotKey, template: 'snapshot.sql', yamlList: 'snapshots' },
}

/** Every table has a model of the type. */
function acceptAll(): void {}
