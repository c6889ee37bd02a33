import type { StoredGenerationRequest } from '@stagecraft/spec/api'
import type { CreationOptions } from '../call-options.ts'
import type { Settings } from '../options.ts'
import type { Exchange } from '../transport/exchange.ts'
import { idempotencyHeader } from '../transport/idempotency-header.ts'
import { sendWithRetries } from '../transport/send-with-retries.ts'
import { withDeadline } from '../transport/with-deadline.ts'
import { type Answer, readGeneration } from './read-generation.ts'

/** `POST /generate`. */
export async function generate(
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
