import type { Operation, OperationId } from '@stagecraft/spec/api'

/** Without a key, and yet the same when done twice. */
const SAME_WHEN_REPEATED: ReadonlySet<OperationId> = new Set<OperationId>([
  'cancelScan',
  'cancelGeneration',
  'cancelPush',
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
  // The second change would else undo what somebody wrote between the two.
  return operation.method !== 'PATCH' || ifMatch !== undefined
}
