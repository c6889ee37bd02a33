import type { OperationId, StoredGenerationRequest } from '@stagecraft/spec/api'
import { buildResources } from './api/build-resources.ts'
import { callOperation } from './api/call-operation.ts'
import type { OperationAnswer } from './api/operation-answer.ts'
import type { AnyInput, OperationInput } from './api/operation-input.ts'
import { createProjectFinder } from './api/project-finder.ts'
import type { Resources } from './api/resource-methods.ts'
import type { CallOptions, CreationOptions } from './call-options.ts'
import { type Answer, readGeneration } from './generate/read-generation.ts'
import { type ClientOptions, fillOptions, type Settings } from './options.ts'
import type { Exchange } from './transport/exchange.ts'
import { idempotencyHeader } from './transport/idempotency-header.ts'
import { sendWithRetries } from './transport/send-with-retries.ts'
import { withDeadline } from './transport/with-deadline.ts'

type Needed<Id extends OperationId> =
  CallOptions extends OperationInput<Id> ? [input?: OperationInput<Id>] : [input: OperationInput<Id>]

/**
 * A Stagecraft service. All calls reject with a `StagecraftError`: the service's error, with `details.requestId`;
 * CONNECTION_FAILED if no Stagecraft service answered; INVALID_REQUEST without a request id for input that cannot be
 * sent.
 */
export interface Client extends Resources {
  /** Generates one model, like `generate` of an engine. */
  generate(request: StoredGenerationRequest, options?: CreationOptions): Promise<Answer>
  /**
   * Calls an operation by its id, and answers with `meta` too.
   *
   * @example
   * const { data, meta } = await client.call('getUnit', { params: { unitId } })
   */
  call<Id extends OperationId>(id: Id, ...input: Needed<Id>): Promise<OperationAnswer<Id>>
}

/**
 * Creates a client for a service. Nothing is sent yet.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://stagecraft.example.com', apiKey })
 * const { data, meta } = await client.generate({ type: 'staging', source: 'raw.stripe.payments' })
 * for await (const unit of client.units.list()) console.log(unit.name)
 * @throws {StagecraftError} INVALID_REQUEST for invalid options.
 */
export function createClient(options: ClientOptions): Client {
  // In a closure instead of a property, so that printing the client does not print the key.
  const settings = fillOptions(options)
  const service = { settings, findProject: createProjectFinder(settings) }
  return {
    ...buildResources(service),
    generate: (request, { idempotencyKey, signal } = {}) =>
      generate(request, { settings, idempotencyKey, signal }),
    call: async <Id extends OperationId>(id: Id, input?: AnyInput) =>
      (await callOperation(id, input ?? {}, service)) as OperationAnswer<Id>,
  }
}

/** `POST /generate`. */
async function generate(
  request: StoredGenerationRequest,
  { idempotencyKey, settings, signal }: CreationOptions & { readonly settings: Settings },
): Promise<Answer> {
  const { base } = settings
  const exchange = {
    method: 'POST',
    address: base,
    path: '/generate',
    headers: idempotencyHeader(idempotencyKey),
    body: JSON.stringify(request),
    mayRepeat: true,
    read: (response) => readGeneration(response, base.host),
  } as const satisfies Exchange<Answer>
  return withDeadline((term) => sendWithRetries(exchange, { settings, term }), {
    address: base,
    settings,
    signal,
  })
}
