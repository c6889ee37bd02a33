import { DELIVERY_STATES, type DeliveryResource, type DeliveryState } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { Path, Pill, Time } from '../parts/basics.tsx'
import { Empty, NoMatch } from '../parts/states.tsx'
import { type Column, List, PAGE, useList } from '../parts/table.tsx'
import { href, usePlace } from '../router.ts'
import { client } from '../service/client.ts'
import { asEventKind } from './events.tsx'

/** Prints the time of the next attempt. A past time means that it is due. */
export function Next({ at }: { readonly at: string | undefined }) {
  return at !== undefined && Date.parse(at) <= Date.now() ? <>{words.deliveries.due}</> : <Time at={at} />
}

export const deliveryColumns: readonly Column<DeliveryResource>[] = [
  {
    title: words.deliveries.event,
    look: 'break',
    cell: ({ event, id }) => (
      <a href={href(`/deliveries/${id}`)}>
        <Path path={event} />
      </a>
    ),
  },
  { title: words.state, cell: ({ state }) => <Pill state={state} /> },
  {
    title: words.deliveries.last,
    look: 'break narrow',
    cell: ({ lastFailure, lastStatus }) =>
      lastStatus ?? (lastFailure ? failureText(lastFailure) : words.none),
  },
  { title: words.deliveries.attempts, look: 'end narrow', cell: ({ attempts }) => attempts },
  { title: words.deliveries.next, look: 'narrow', cell: ({ nextAttemptAt }) => <Next at={nextAttemptAt} /> },
  { title: words.time, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** Returns the text for the reason of a failed attempt; unknown reasons are returned unchanged. */
export function failureText(failure: string): string {
  const names: Readonly<Record<string, string>> = words.deliveries.failures
  return names[failure] ?? failure
}

/** Returns the state of deliveries in the address; undefined for anything else. */
export function asDeliveryState(text: string | null): DeliveryState | undefined {
  return DELIVERY_STATES.find((state) => state === text)
}

export const DELIVERY_OPTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  DELIVERY_STATES.map((state) => [state, words.states[state]]),
)

/** Lists the deliveries of a webhook with the filter in the address. */
export function DeliveryList({ webhookId }: { readonly webhookId: string }) {
  const { query } = usePlace()
  const state = asDeliveryState(query.get('state'))
  const event = asEventKind(query.get('event'))
  const loaded = useList(
    `deliveries ${webhookId} ${state} ${event}`,
    (cursor) => client.webhooks.deliveries(webhookId, { state, event, limit: PAGE }).page({ cursor }),
    ['delivery'],
  )
  return (
    <List
      label={words.webhooks.deliveries}
      loaded={loaded}
      keyOf={({ id }) => id}
      columns={deliveryColumns}
      empty={
        state || event ? (
          <NoMatch text={words.deliveries.emptyFilter} />
        ) : (
          <Empty text={words.webhooks.noDeliveries} />
        )
      }
    />
  )
}
