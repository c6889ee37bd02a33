import type { TreeFile } from '@stagecraft/dbt'
import type { PlanExceptions } from '../git/push-options.ts'
import type { PlannerOptions } from './plan-units.ts'

/** A plan for a branch, as it goes to a thread. Files that are not sent along, and generated texts, are asked for. */
export interface PlanTask {
  readonly options: Omit<PlannerOptions, 'readGenerated'>
  readonly exceptions: PlanExceptions
  /** The folder of the dbt project in the repository. */
  readonly folder: string
  /** All files of the project. */
  readonly files: readonly TreeFile[]
  /** By path, those that dbt reads. */
  readonly contents: ReadonlyMap<string, Uint8Array>
}
