import { metaSchema, StagecraftError } from '@stagecraft/spec'
import type { Operation, OperationId } from '@stagecraft/spec/api'
import type { Settings } from '../options.ts'
import type { ReadResponse } from '../transport/exchange.ts'
import { idempotencyHeader } from '../transport/idempotency-header.ts'
import { sendWithRetries } from '../transport/send-with-retries.ts'
import type { Term } from '../transport/with-deadline.ts'
import { fillPath } from './fill-path.ts'
import type { AnyAnswer } from './operation-answer.ts'
import type { AnyInput } from './operation-input.ts'
import { connectionFailed, notOfService } from '../transport/connection-failed.ts'
import { parseJson } from '../transport/parse-json.ts'
import { findFault } from './find-fault.ts'

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

/** Operations without an idempotency key that may be repeated safely. */
const SAME_WHEN_REPEATED: ReadonlySet<OperationId> = new Set<OperationId>([
  'cancelScan',
  'cancelGeneration',
  'cancelPush',
  'cancelAnalysis',
  'cancelMessage',
  'pauseWebhook',
  'enableWebhook',
])

interface RepeatOptions {
  readonly operation: Operation
  readonly ifMatch: number | undefined
}

/** Returns true if a request may safely reach the service twice. */
function mayRepeat(id: OperationId, { ifMatch, operation }: RepeatOptions): boolean {
  if (operation.method === 'POST') return operation.isCreation === true || SAME_WHEN_REPEATED.has(id)
  // Otherwise the second request would undo a change made in between.
  return operation.method !== 'PATCH' || ifMatch !== undefined
}

// A cursor has the same type as `backend`: optional text.
const apiMetaSchema = metaSchema.extend({ nextCursor: metaSchema.shape.backend })

/** @throws {StagecraftError} CONNECTION_FAILED for anything but an answer of this operation. */
function readApiAnswer(response: ReadResponse, operation: Operation, host: string): AnyAnswer {
  if (operation.media !== undefined) return { data: readFile(response, operation.media, host) }
  const body = parseJson(response) as { success?: unknown; data?: unknown; meta?: unknown } | null | undefined
  const meta = apiMetaSchema.safeParse(body?.meta)
  if (body?.success !== true || !operation.data || !meta.success) throw notOfService(host, response.status)
  const fault = findFault(body.data, operation.data)
  if (fault === undefined) return { data: body.data, meta: meta.data }
  const place = fault === '' ? 'data' : `data.${fault}`
  throw connectionFailed(host, `status ${response.status} with ${place} not as documented`)
}

function readFile({ bytes, contentType, status }: ReadResponse, media: string, host: string): unknown {
  const [expected = ''] = media.split(';')
  if (contentType !== expected)
    throw connectionFailed(
      host,
      `status ${status} with ${contentType || 'no media type'} and not ${expected}`,
    )
  // Unchanged: a file may start with a byte order mark.
  return expected.startsWith('text/') ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) : bytes
}
