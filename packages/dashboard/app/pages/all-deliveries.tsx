import type { DeliveryState, EventKind } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Page } from '../parts/basics.tsx'
import { asTime } from '../parts/format.ts'
import { Search, Select, TimeFilter } from '../parts/filters.tsx'
import { Confirm, Dialog } from '../parts/forms.tsx'
import { Empty, Needs, NoMatch, Show } from '../parts/states.tsx'
import { List, PAGE, useList } from '../parts/table.tsx'
import { href, usePlace } from '../router.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay, useSession } from '../service/session.ts'
import { asDeliveryState, DELIVERY_OPTIONS, deliveryColumns } from './deliveries.tsx'
import { asEventKind, EVENT_OPTIONS } from './events.tsx'

const text = words.deliveries

interface Filter {
  readonly state: DeliveryState | undefined
  readonly event: EventKind | undefined
  readonly search: string | undefined
  readonly status: number | undefined
  readonly webhookId: string | undefined
  readonly since: string | undefined
  readonly until: string | undefined
}

/** Returns the HTTP status in the address; undefined for anything else. */
function asStatus(text: string | null): number | undefined {
  return text !== null && /^[1-5]\d\d$/.test(text) ? Number(text) : undefined
}

/** Returns the filter in the address. */
function useFilter(): Filter {
  const { query } = usePlace()
  return {
    state: asDeliveryState(query.get('state')),
    event: asEventKind(query.get('event')),
    search: query.get('search') ?? undefined,
    status: asStatus(query.get('status')),
    webhookId: query.get('webhookId') ?? undefined,
    since: asTime(query.get('since')),
    until: asTime(query.get('until')),
  }
}

/** Lists the deliveries of all webhooks, and delivers those that match the filter again. */
export function AllDeliveries() {
  const [isOpen, setOpen] = useState(false)
  const filter = useFilter()
  const button = (
    <button type="button" onClick={() => setOpen(true)}>
      {text.again}
    </button>
  )
  return (
    <Page title={text.all} actions={useMay('webhooks') && button}>
      <Needs scope="webhooks">
        <div class="filters">
          <Search label={text.search} name="search" />
          <Select label={words.state} name="state" options={DELIVERY_OPTIONS} />
          <Select label={text.event} name="event" options={EVENT_OPTIONS} />
          <Search label={text.status} name="status" />
          <WebhookFilter />
          <TimeFilter label={words.since} name="since" />
          <TimeFilter label={words.until} name="until" />
        </div>
        <Found filter={filter} />
        {isOpen && <Again filter={filter} onClose={() => setOpen(false)} />}
      </Needs>
    </Page>
  )
}

/** Selects a webhook by its address; a project has at most 50. */
function WebhookFilter() {
  const { data } = useResource(
    'webhooks to choose',
    (signal) => client.webhooks.list({ limit: 200 }, { signal }).page(),
    ['webhook'],
  )
  const options = Object.fromEntries((data?.items ?? []).map(({ id, url }) => [id, url]))
  return <Select label={text.webhook} name="webhookId" options={options} />
}

function Found({ filter }: { readonly filter: Filter }) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const loaded = useList(
    `all deliveries ${JSON.stringify(filter)}`,
    (cursor) => client.deliveries.list({ ...filter, limit: PAGE }).page({ cursor }),
    ['delivery'],
  )
  return (
    <List
      label={text.all}
      loaded={loaded}
      keyOf={({ id }) => id}
      columns={deliveryColumns}
      empty={
        isFiltered ? (
          <NoMatch text={text.emptyFilter} />
        ) : (
          <Empty text={text.empty}>
            <a class="button" href={href('/webhooks')}>
              {words.webhooks.title}
            </a>
          </Empty>
        )
      }
    />
  )
}

/** Shows the number of deliveries, and creates them. */
function Again({ filter, onClose }: { readonly filter: Filter; readonly onClose: () => void }) {
  const { say } = useSession()
  const { event, state, ...others } = filter
  const isEnded = state !== 'pending' && state !== 'sending'
  const selected = {
    ...others,
    ...(event && { events: [event] }),
    ...(state !== undefined && isEnded && { states: [state] }),
  }
  const loaded = useResource(
    `again ${JSON.stringify(filter)}`,
    async () =>
      isEnded
        ? await client.deliveries.redeliverMany({ ...selected, dryRun: true })
        : { deliveries: 0, remaining: 0 },
    [],
  )
  const send = async (): Promise<void> => {
    const { deliveries } = await client.deliveries.redeliverMany(selected)
    say(words.webhooks.replayed(deliveries))
    onClose()
  }
  if (loaded.data && loaded.data.deliveries > 0)
    return (
      <Confirm
        title={text.againTitle}
        text={`${text.againText} ${text.againCount(loaded.data.deliveries, loaded.data.remaining)}`}
        action={words.webhooks.send}
        onClose={onClose}
        onConfirm={send}
      />
    )
  return (
    <Dialog title={text.againTitle} onClose={onClose}>
      <Show loaded={loaded}>{() => <p>{text.againNone}</p>}</Show>
    </Dialog>
  )
}
