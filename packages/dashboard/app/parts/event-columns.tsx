import type { EventRecord } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { href } from '../router.ts'
import { Path, Time } from './basics.tsx'
import type { Column } from './table.tsx'

const text = words.events

/** Returns the subject of an event, if its data names one. */
export function subjectOf({ data }: EventRecord): string {
  const found = data['unit_name'] ?? data['branch'] ?? data['scan_id'] ?? data['generation_id']
  return typeof found === 'string' ? found : words.none
}

export const eventColumns: readonly Column<EventRecord>[] = [
  {
    title: text.kind,
    look: 'break',
    cell: ({ event, id }) => (
      <a href={href(`/events/${id}`)}>
        <Path path={event} />
      </a>
    ),
  },
  { title: text.subject, cell: (event) => <Path path={subjectOf(event)} />, look: 'break' },
  { title: words.time, cell: ({ created_at }) => <Time at={created_at} /> },
]
