import type { ModelType } from '@stagecraft/spec'
import type { RowsFlags } from '../commands/observe.ts'
import type { EngineFlags } from '../commands/open-engine.ts'
import type { PlanFlags } from './make-plan.ts'

/** The flags that shape models. */
export interface ModelFlags extends EngineFlags, RowsFlags {
  readonly type: ModelType
  readonly tests: boolean
  readonly docs: boolean
  /** Follows the conventions of existing staging models. */
  readonly learn?: boolean
}

/** The flags of all commands that plan for a project. */
export interface ProjectFlags extends ModelFlags, PlanFlags {
  readonly all?: boolean
  /** A folder in the project. */
  readonly projectDir: string
}
