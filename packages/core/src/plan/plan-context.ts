import type { FindParent } from './parents.ts'
import type { Subject } from './subject.ts'

/** The input of a plan function. */
export interface PlanContext {
  readonly subject: Subject
  readonly findParent: FindParent
}
