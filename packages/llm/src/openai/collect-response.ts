import { failureOf } from '../provider/explain.ts'
import { fieldsOf, textOf } from '../provider/shapes.ts'
import { Unanswered } from '../provider/unanswered.ts'

/** Each has the whole response; that of a stream which ends without one is in its middle. */
const LAST_EVENTS: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
])

/** The response that a stream of events ends with. Events that are not known are passed over. */
export async function collectResponse(
  events: AsyncIterable<unknown>,
  onText: (delta: string) => void,
): Promise<unknown> {
  for await (const event of events) {
    const { type, delta, code, response } = fieldsOf(event, 'an event')
    if (type === 'response.output_text.delta') onText(textOf(delta, 'delta'))
    // The SDK throws for these only when the frame is named so as well.
    if (type === 'error') throw new Unanswered(failureOf(typeof code === 'string' ? [code] : [], undefined))
    if (LAST_EVENTS.has(type)) return response
  }
  throw new Unanswered('network', 'the stream ended early')
}
