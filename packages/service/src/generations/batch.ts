import type { RunSetup } from '@stagecraft/core'
import type { DialectName } from '@stagecraft/spec'
import type { ServiceContext } from '../context.ts'
import type { GenerationRow } from '../store/schema.ts'

/** A batch while it is done. */
export interface Batch {
  readonly context: ServiceContext
  readonly row: GenerationRow
  readonly signal: AbortSignal
}

/** What tables of one connection are generated with. */
export interface GroupSetup {
  readonly run: RunSetup
  readonly dialect: DialectName
}
