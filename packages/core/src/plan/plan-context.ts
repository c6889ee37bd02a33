import type { FindParent } from './parents.ts'
import type { Subject } from './subject.ts'

/** What a plan function decides from. */
export interface PlanContext {
  readonly subject: Subject
  readonly findParent: FindParent
}
