import type { Operation, OperationId } from '@stagecraft/spec/api'

/** Without a key, and yet the same when done twice. */
const SAME_WHEN_REPEATED: ReadonlySet<OperationId> = new Set<OperationId>([
  'cancelScan',
  'cancelGeneration',
  'cancelPush',
  'cancelAnalysis',
  'cancelMessage',
  'pauseWebhook',
  'enableWebhook',
])

export interface RepeatOptions {
  readonly operation: Operation
  readonly ifMatch: number | undefined
}

/** Returns true if a request may safely reach the service twice. */
export function mayRepeat(id: OperationId, { ifMatch, operation }: RepeatOptions): boolean {
  if (operation.method === 'POST') return operation.isCreation === true || SAME_WHEN_REPEATED.has(id)
  // Otherwise the second change would undo a change that came between the two.
  return operation.method !== 'PATCH' || ifMatch !== undefined
}
