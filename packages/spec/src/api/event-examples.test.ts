import { expect, test } from 'vitest'
import { exampleEvent } from './event-examples.ts'
import { EVENT_DATA, EVENT_KIND_NAMES, eventSchema } from './events.ts'

test.each(EVENT_KIND_NAMES)(
  'the example of %s is an event of its kind, in the order of the schema',
  (kind) => {
    const example = exampleEvent(kind)
    expect(example.event).toBe(kind)
    const whole = eventSchema.strict().extend({ data: EVENT_DATA[kind] })
    expect(JSON.stringify(whole.parse(example))).toBe(JSON.stringify(example))
  },
)
