import type { DeliveryDetail } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { Id, JsonText, Page, Pill, Time } from '../parts/basics.tsx'
import { duration } from '../parts/format.ts'
import { Needs, Problem, Show } from '../parts/states.tsx'
import { failureText, Next } from './deliveries.tsx'
import { Request } from './delivery-request.tsx'
import { href, navigate } from '../router.ts'
import type { PageProps } from '../page-props.ts'
import { client } from '../service/client.ts'
import { useAction, useResource } from '../service/resource.ts'
import { useSession } from '../service/session.ts'

/** Shows a delivery: its request, and every attempt with its response. */
export function Delivery({ params: { deliveryId = '' } }: PageProps) {
  const text = words.deliveries
  const { say } = useSession()
  const { error, isBusy, run } = useAction()
  const loaded = useResource(
    `delivery ${deliveryId}`,
    (signal) => client.deliveries.get(deliveryId, { signal }),
    ['delivery'],
  )
  const { data } = loaded
  const retry = async (): Promise<void> => {
    const { id } = await client.deliveries.redeliver(deliveryId)
    say(text.retried)
    navigate(href(`/deliveries/${id}`))
  }
  const button = (
    <button type="button" class="main" aria-disabled={isBusy} onClick={() => void run(retry)}>
      {text.retry}
    </button>
  )
  const up = data
    ? { href: href(`/webhooks/${data.webhookId}`), title: text.webhook }
    : { href: href('/webhooks'), title: words.webhooks.title }
  return (
    <Page title={data?.event ?? text.title} up={up} actions={data && data.trigger !== 'test' && button}>
      <Needs scope="webhooks">
        <Problem error={error} title={words.problem.action} />
        <Show loaded={loaded}>
          {(delivery) => (
            <>
              <Facts delivery={delivery} />
              <h2>{text.attempts}</h2>
              <Attempts delivery={delivery} />
              {delivery.trigger !== 'test' && (
                <>
                  <Request deliveryId={delivery.id} />
                  <Payload eventId={delivery.eventId} />
                </>
              )}
            </>
          )}
        </Show>
      </Needs>
    </Page>
  )
}

function Facts({ delivery }: { readonly delivery: DeliveryDetail }) {
  const text = words.deliveries
  return (
    <dl>
      <dt>{words.state}</dt>
      <dd>
        <Pill state={delivery.state} />
      </dd>
      <dt>{text.trigger}</dt>
      <dd>{text.triggers[delivery.trigger]}</dd>
      <dt>{words.time}</dt>
      <dd>
        <Time at={delivery.createdAt} isFull />
      </dd>
      {delivery.nextAttemptAt !== undefined && (
        <>
          <dt>{text.next}</dt>
          <dd>
            <Next at={delivery.nextAttemptAt} />
          </dd>
        </>
      )}
      <dt>Id</dt>
      <dd>
        <Id id={delivery.id} />
      </dd>
    </dl>
  )
}

/** Lists the attempts, newest first. A receiver's response is always shown as text. */
function Attempts({ delivery: { attemptLog } }: { readonly delivery: DeliveryDetail }) {
  const text = words.deliveries
  if (attemptLog.length === 0) return <p class="muted">{text.noAttempts}</p>
  return (
    <ol class="timeline">
      {attemptLog.toReversed().map(({ durationMs, excerpt, failure, number, outcome, startedAt, status }) => (
        <li key={number}>
          <b>{text.attempt(number)}</b> <Pill state={outcome} /> {status}{' '}
          <span class="muted">
            <Time at={startedAt} /> {durationMs !== undefined && `· ${duration(durationMs)}`}
          </span>
          {failure !== undefined && <p>{failureText(failure)}</p>}
          {excerpt !== undefined && excerpt !== '' && (
            <details>
              <summary>{text.answer}</summary>
              <div
                class="code"
                tabIndex={0}
                role="region"
                aria-label={`${text.answer}, ${text.attempt(number)}`}
              >
                <pre>
                  <span data-line="1">{excerpt}</span>
                </pre>
              </div>
            </details>
          )}
        </li>
      ))}
    </ol>
  )
}

function Payload({ eventId }: { readonly eventId: string }) {
  const loaded = useResource(`event ${eventId}`, (signal) => client.events.get(eventId, { signal }), [])
  return (
    <>
      <h2>{words.deliveries.payload}</h2>
      <Show loaded={loaded}>{(event) => <JsonText value={event} label={words.deliveries.payload} />}</Show>
    </>
  )
}
