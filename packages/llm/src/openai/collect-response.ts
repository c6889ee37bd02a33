import { failureOf } from '../provider/explain.ts'
import { fieldsOf, textOf } from '../provider/shapes.ts'
import { Unanswered } from '../provider/unanswered.ts'

/** The events with the complete response. A stream that ends without one was cut off. */
const LAST_EVENTS: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
])

/** Returns the response at the end of a stream of events. Unknown events are skipped. */
export async function collectResponse(
  events: AsyncIterable<unknown>,
  onText: (delta: string) => void,
): Promise<unknown> {
  for await (const event of events) {
    const { type, delta, code, response } = fieldsOf(event, 'an event')
    if (type === 'response.output_text.delta') onText(textOf(delta, 'delta'))
    // The SDK throws for these only if the frame has that name too.
    if (type === 'error') throw new Unanswered(failureOf(typeof code === 'string' ? [code] : [], undefined))
    if (LAST_EVENTS.has(type)) return response
  }
  throw new Unanswered('network', 'the stream ended early')
}
