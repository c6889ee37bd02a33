import type { TreeFile } from '@stagecraft/dbt'
import type { PlanExceptions } from '../git/push-options.ts'
import type { PlannerOptions } from './plan-units.ts'

/**
 * A plan for a branch, in a form that can be sent to a thread. Other files, and generated texts, are requested on
 * demand.
 */
export interface PlanTask {
  readonly options: Omit<PlannerOptions, 'readGenerated'>
  readonly exceptions: PlanExceptions
  /** The folder of the dbt project in the repository. */
  readonly folder: string
  /** All files of the project. */
  readonly files: readonly TreeFile[]
  /** The files that dbt reads, by path. */
  readonly contents: ReadonlyMap<string, Uint8Array>
}
