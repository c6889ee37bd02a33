import type { ServiceContext } from '../context.ts'
import type { GenerationRow } from '../store/schema.ts'

/** A batch while it is done. */
export interface Batch {
  readonly context: ServiceContext
  readonly row: GenerationRow
  readonly signal: AbortSignal
}
