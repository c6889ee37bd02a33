import type { Fault } from '@stagecraft/spec'

/** One part of a request after reading, to be used only if no part has faults. */
export interface Read<Value = unknown> {
  readonly value: Value
  readonly faults: readonly Fault[]
}
