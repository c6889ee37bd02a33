import { EVENT_KINDS, type EventKind, type EventRecord } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { Id, JsonText, Page, Pill, Time } from '../parts/basics.tsx'
import { eventColumns, subjectOf } from '../parts/event-columns.tsx'
import { asTime } from '../parts/format.ts'
import { Search, Select, TimeFilter } from '../parts/filters.tsx'
import { Empty, Needs, NoMatch, Show } from '../parts/states.tsx'
import { List, PAGE, Table, useList } from '../parts/table.tsx'
import { href, usePlace } from '../router.ts'
import type { PageProps } from '../page-props.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay } from '../service/session.ts'

const text = words.events

export const EVENT_OPTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(EVENT_KINDS).map((kind) => [kind, kind]),
)

/** Returns the event type in the address; undefined for anything else. */
export function asEventKind(text: string | null): EventKind | undefined {
  return (Object.keys(EVENT_KINDS) as EventKind[]).find((kind) => kind === text)
}

/** Lists all events, even those that no webhook subscribes to. */
export function Events() {
  const { query } = usePlace()
  const event = asEventKind(query.get('event'))
  const search = query.get('search') ?? undefined
  const since = asTime(query.get('since'))
  const until = asTime(query.get('until'))
  const loaded = useList(
    `events ${event} ${search} ${since} ${until}`,
    (cursor) => client.events.list({ event, search, since, until, limit: PAGE }).page({ cursor }),
    ['event'],
  )
  return (
    <Page title={text.title}>
      <Needs scope="read">
        <div class="filters">
          <Search label={text.search} name="search" />
          <Select label={text.kind} name="event" options={EVENT_OPTIONS} />
          <TimeFilter label={words.since} name="since" />
          <TimeFilter label={words.until} name="until" />
        </div>
        <List
          label={text.title}
          loaded={loaded}
          keyOf={({ id }) => id}
          columns={eventColumns}
          empty={
            event || search || since || until ? (
              <NoMatch text={text.emptyFilter} />
            ) : (
              <Empty text={text.empty}>
                <a class="button" href={href('/connections')}>
                  {words.connections.title}
                </a>
              </Empty>
            )
          }
        />
      </Needs>
    </Page>
  )
}

/** Shows an event with the body that webhooks receive. */
export function Event({ params: { eventId = '' } }: PageProps) {
  const loaded = useResource(`event ${eventId}`, (signal) => client.events.get(eventId, { signal }), [])
  return (
    <Page title={loaded.data?.event ?? text.one} up={{ href: href('/events'), title: text.title }}>
      <Needs scope="read">
        <Show loaded={loaded}>{(event) => <Shown event={event} />}</Show>
      </Needs>
    </Page>
  )
}

function Shown({ event }: { readonly event: EventRecord }) {
  return (
    <>
      <dl>
        <dt>{words.time}</dt>
        <dd>
          <Time at={event.created_at} isFull />
        </dd>
        <dt>{text.subject}</dt>
        <dd>
          <Subject event={event} />
        </dd>
        <dt>Id</dt>
        <dd>
          <Id id={event.id} />
        </dd>
      </dl>
      {useMay('webhooks') && <Receivers eventId={event.id} />}
      <h2>{text.payload}</h2>
      <JsonText value={event} label={text.payload} />
    </>
  )
}

/** Lists the webhooks that received the event. */
function Receivers({ eventId }: { readonly eventId: string }) {
  const loaded = useResource(
    `receivers ${eventId}`,
    async (signal) => {
      const [deliveries, webhooks] = await Promise.all([
        client.deliveries.list({ eventId, limit: 200 }, { signal }).page(),
        client.webhooks.list({ limit: 200 }, { signal }).page(),
      ])
      const urls = new Map(webhooks.items.map(({ id, url }) => [id, url]))
      return deliveries.items.map((delivery) => ({ ...delivery, url: urls.get(delivery.webhookId) ?? '' }))
    },
    ['delivery'],
  )
  return (
    <>
      <h2>{text.receivers}</h2>
      <Show loaded={loaded}>
        {(items) =>
          items.length === 0 ? (
            <p class="muted">{text.noReceivers}</p>
          ) : (
            <Table
              label={text.receivers}
              items={items}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: words.webhooks.url,
                  look: 'break',
                  cell: ({ id, url }) => <a href={href(`/deliveries/${id}`)}>{url}</a>,
                },
                { title: words.state, cell: ({ state }) => <Pill state={state} /> },
                { title: words.time, cell: ({ createdAt }) => <Time at={createdAt} /> },
              ]}
            />
          )
        }
      </Show>
    </>
  )
}

const PAGES = { unit_id: '/units', scan_id: '/scans', push_id: '/pushes', generation_id: '/generations' }

function Subject({ event }: { readonly event: EventRecord }) {
  for (const [name, path] of Object.entries(PAGES)) {
    const id = event.data[name]
    if (typeof id === 'string' && event.event !== 'unit.deleted')
      return <a href={href(`${path}/${id}`)}>{subjectOf(event)}</a>
  }
  return <>{subjectOf(event)}</>
}
