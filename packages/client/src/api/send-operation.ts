import { StagecraftError } from '@stagecraft/spec'
import type { Operation, OperationId } from '@stagecraft/spec/api'
import type { Settings } from '../options.ts'
import type { ReadResponse } from '../transport/exchange.ts'
import { idempotencyHeader } from '../transport/idempotency-header.ts'
import { sendWithRetries } from '../transport/send-with-retries.ts'
import type { Term } from '../transport/with-deadline.ts'
import { fillPath } from './fill-path.ts'
import { mayRepeat } from './may-repeat.ts'
import type { AnyAnswer } from './operation-answer.ts'
import type { AnyInput } from './operation-input.ts'
import { readApiAnswer } from './read-api-answer.ts'

export interface SendOperationOptions {
  readonly operation: Operation
  readonly settings: Settings
  readonly term: Term
}

/** Sends a call whose project is known. */
export async function sendOperation(
  id: OperationId,
  input: AnyInput,
  { operation, settings, term }: SendOperationOptions,
): Promise<AnyAnswer> {
  const { ifMatch, projectId } = input
  const exchange = {
    method: operation.method,
    address: settings.api,
    path: fillPath(operation.path, { projectId, ...input.params }) + toQuery(input.query),
    headers: toHeaders(input, operation),
    body: operation.body && JSON.stringify(input.body ?? {}),
    mayRepeat: mayRepeat(id, { operation, ifMatch }),
    read: (response: ReadResponse) => readApiAnswer(response, operation, settings.api.host),
  }
  return sendWithRetries(exchange, { settings, term })
}

function toQuery(query: object = {}): string {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) fields.set(name, String(value))
  return fields.size === 0 ? '' : `?${fields.toString()}`
}

function toHeaders({ idempotencyKey, ifMatch }: AnyInput, operation: Operation): Record<string, string> {
  return {
    ...(operation.media !== undefined && { accept: `${operation.media}, application/json` }),
    ...(operation.isCreation && idempotencyHeader(idempotencyKey)),
    ...(ifMatch !== undefined && operation.method === 'PATCH' && { 'if-match': toTag(ifMatch) }),
  }
}

function toTag(version: number): string {
  if (Number.isInteger(version) && version > 0) return `"v${version}"`
  throw StagecraftError.invalid([
    { path: 'ifMatch', expected: 'the version that was read', received: String(version) },
  ])
}
