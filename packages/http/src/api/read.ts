import type { Fault } from '@stagecraft/spec'

/** What was read of a part of a request; to be used when there are no faults in any part. */
export interface Read<Value = unknown> {
  readonly value: Value
  readonly faults: readonly Fault[]
}
