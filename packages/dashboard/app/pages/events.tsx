import { EVENT_KINDS, type EventKind, type EventRecord } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { JsonText, Page, Time } from '../parts/basics.tsx'
import { Search, Select } from '../parts/forms.tsx'
import { Empty, Needs, Show } from '../parts/states.tsx'
import { type Column, List, PAGE, useList } from '../parts/table.tsx'
import { href, usePlace } from '../router.ts'
import type { PageProps } from '../page-props.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'

/** The thing that an event is about, as far as its data names it. */
function subjectOf({ data }: EventRecord): string {
  const found = data['unit_name'] ?? data['branch'] ?? data['scan_id'] ?? data['generation_id']
  return typeof found === 'string' ? found : words.none
}

export const eventColumns: readonly Column<EventRecord>[] = [
  {
    title: words.events.kind,
    look: 'break',
    cell: ({ event, id }) => <a href={href(`/events/${id}`)}>{event}</a>,
  },
  { title: words.events.subject, cell: subjectOf, look: 'break' },
  { title: words.time, cell: ({ created_at }) => <Time at={created_at} /> },
]

export const EVENT_OPTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(EVENT_KINDS).map((kind) => [kind, kind]),
)

/** Returns the kind of event that an address names; undefined for anything else. */
export function asEventKind(text: string | null): EventKind | undefined {
  return (Object.keys(EVENT_KINDS) as EventKind[]).find((kind) => kind === text)
}

/** Everything that has happened, also what no webhook asked for. */
export function Events() {
  const { query } = usePlace()
  const event = asEventKind(query.get('event'))
  const search = query.get('search') ?? undefined
  const loaded = useList(
    `events ${event} ${search}`,
    (cursor) => client.events.list({ event, search, limit: PAGE }).page({ cursor }),
    ['event'],
  )
  const text = words.events
  return (
    <Page title={text.title}>
      <Needs scope="read">
        <div class="filters">
          <Search label={text.search} name="search" />
          <Select label={text.kind} name="event" options={EVENT_OPTIONS} />
        </div>
        <List
          label={text.title}
          loaded={loaded}
          keyOf={({ id }) => id}
          columns={eventColumns}
          empty={<Empty text={event || search ? text.emptyFilter : text.empty} />}
        />
      </Needs>
    </Page>
  )
}

/** An event, with the body that webhooks receive. */
export function Event({ params: { eventId = '' } }: PageProps) {
  const loaded = useResource(`event ${eventId}`, (signal) => client.events.get(eventId, { signal }), [])
  const text = words.events
  return (
    <Page title={loaded.data?.event ?? text.one} up={{ href: href('/events'), title: text.title }}>
      <Show loaded={loaded}>
        {(event) => (
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
                <code>{event.id}</code>
              </dd>
            </dl>
            <h2>{text.payload}</h2>
            <JsonText value={event} label={text.payload} />
          </>
        )}
      </Show>
    </Page>
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
