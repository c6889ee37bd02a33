import type { TestContext } from 'vitest'
import { freshName } from './ask.ts'
import { expectSuccess } from './expect-envelope.ts'
import { notRun } from './not-run.ts'
import type { Delivery } from './receiver.ts'
import type { Session } from './session.ts'
import { until } from './until.ts'

/** The body of a delivery. */
export interface EventBody {
  readonly id: string
  readonly event: string
  readonly created_at: string
  readonly project_id: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A subscription whose deliveries come to a path of the receiver. */
export interface Hook {
  readonly id: string
  readonly secret: string
  deliveries(): readonly Delivery[]
  /** The first delivery of an event that fits. */
  next(
    event: string,
    fits?: (data: EventBody['data']) => boolean,
    seconds?: number,
  ): Promise<{ readonly delivery: Delivery; readonly body: EventBody }>
}

interface HookOptions {
  readonly events: readonly string[]
  /** What the receiver answers first. */
  readonly statuses?: readonly number[]
  readonly secret?: string
}

/** "Delivery is intended within seconds of the event." Not a minute, also where all of this runs on one slow machine. */
export const WITHIN_SECONDS = 20

/** Subscribes; where the service does not let deliveries go to the receiver, the test is not run. */
export async function subscribe(
  context: TestContext,
  session: Session,
  { events, secret = freshName('secret'), statuses = [] }: HookOptions,
): Promise<Hook> {
  const { ask, receiver } = session
  const path = `/${freshName('hook')}`
  receiver.answerWith(path, statuses)
  const url = receiver.urlOf(path)
  const answer = await ask('POST /v1/webhooks', { body: { url, events, secret } })
  if (answer.status === 400 && answer.text.includes('url')) {
    const why = String(answer.envelope.error.message)
    notRun(context, session, `the service does not deliver to ${url} (${why}); use --receiver-url`)
  }
  const id = String(expectSuccess(answer, 201)['id'])
  context.onTestFinished(async () => void (await ask(`DELETE /v1/webhooks/${id}`)))
  const deliveries = () => receiver.deliveriesTo(path)
  return {
    id,
    secret,
    deliveries,
    next: (event, fits = () => true, seconds = WITHIN_SECONDS) =>
      until(
        () =>
          deliveries()
            .map((delivery) => ({ delivery, body: readBody(delivery) }))
            .find(({ body }) => body.event === event && fits(body.data)),
        { what: `a delivery of ${event}`, seconds },
      ),
  }
}

export function readBody({ body }: Delivery): EventBody {
  return JSON.parse(body.toString('utf8')) as EventBody
}
