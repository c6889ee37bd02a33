import type { OperationId, StoredGenerationRequest } from '@stagecraft/spec/api'
import { buildResources } from './api/build-resources.ts'
import { callOperation } from './api/call-operation.ts'
import type { OperationAnswer } from './api/operation-answer.ts'
import type { AnyInput, OperationInput } from './api/operation-input.ts'
import { createProjectFinder } from './api/project-finder.ts'
import type { Resources } from './api/resource-methods.ts'
import type { CallOptions, CreationOptions } from './call-options.ts'
import { generate } from './generate/generate.ts'
import type { Answer } from './generate/read-generation.ts'
import { type ClientOptions, fillOptions } from './options.ts'

type Needed<Id extends OperationId> =
  CallOptions extends OperationInput<Id> ? [input?: OperationInput<Id>] : [input: OperationInput<Id>]

/**
 * A Stagecraft service. Everything that calls it rejects with a `StagecraftError`: what the service answered, with
 * `details.requestId`; CONNECTION_FAILED when no answer of a Stagecraft service came; INVALID_REQUEST without a request
 * id for what cannot be sent.
 */
export interface Client extends Resources {
  /** Answers one request, as the `generate` of an engine does. */
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
 * Opens a service; nothing is sent yet.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://stagecraft.example.com', apiKey })
 * const { data, meta } = await client.generate({ type: 'staging', source: 'raw.stripe.payments' })
 * for await (const unit of client.units.list()) console.log(unit.name)
 * @throws {StagecraftError} INVALID_REQUEST for faulty options.
 */
export function createClient(options: ClientOptions): Client {
  // In a closure and in no property, so that nothing that prints a client prints the key.
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
