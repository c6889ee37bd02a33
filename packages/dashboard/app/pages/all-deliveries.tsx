import type { DeliveryState, EventKind } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Page } from '../parts/basics.tsx'
import { Confirm, Dialog, Search, Select } from '../parts/forms.tsx'
import { Empty, Needs, Show } from '../parts/states.tsx'
import { List, PAGE, useList } from '../parts/table.tsx'
import { usePlace } from '../router.ts'
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
}

/** The deliveries of all webhooks; what the filter selects is delivered again together. */
export function AllDeliveries() {
  const { query } = usePlace()
  const [isOpen, setOpen] = useState(false)
  const filter: Filter = {
    state: asDeliveryState(query.get('state')),
    event: asEventKind(query.get('event')),
    search: query.get('search') ?? undefined,
  }
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
        </div>
        <Found filter={filter} />
        {isOpen && <Again filter={filter} onClose={() => setOpen(false)} />}
      </Needs>
    </Page>
  )
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
      empty={<Empty text={isFiltered ? text.emptyFilter : text.empty} />}
    />
  )
}

/** Says how many deliveries there will be, and makes them. */
function Again({ filter, onClose }: { readonly filter: Filter; readonly onClose: () => void }) {
  const { say } = useSession()
  const { event, search, state } = filter
  const isEnded = state !== 'pending' && state !== 'sending'
  const selected = {
    search,
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
      <button type="button" onClick={onClose}>
        {words.close}
      </button>
    </Dialog>
  )
}
