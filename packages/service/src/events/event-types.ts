import {
  EVENT_DATA,
  exampleEvent,
  EVENT_KIND_NAMES,
  EVENT_KINDS,
  eventSchema,
  type EventKind,
  type EventType,
} from '@stagecraft/spec/api'
import { z } from 'zod'

/** Every kind of event with its meaning, the JSON Schema of its body, and an example. */
export function eventTypes(): readonly EventType[] {
  return EVENT_KIND_NAMES.map((event) => ({
    event,
    description: EVENT_KINDS[event],
    schema: bodySchema(event),
    example: exampleEvent(event),
  }))
}

/** Open for members that come later: a receiver which validates by it is not broken by them. */
function bodySchema(event: EventKind): Record<string, unknown> {
  const body = eventSchema.extend({ event: z.literal(event), data: EVENT_DATA[event] })
  const schema = z.toJSONSchema(body, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      delete jsonSchema.readOnly
    },
  })
  return { ...schema }
}
