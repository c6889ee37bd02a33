import { API_SCHEMAS, type Operation } from '@stagecraft/spec/api'
import type { z } from 'zod'
import { REQUEST_ID } from './examples.ts'
import { RESOURCE_EXAMPLES } from './resource-examples.ts'

const META = { requestId: REQUEST_ID, timestamp: '2026-11-21T09:30:00.000Z', tokensUsed: 0 }

/** An answer to an operation; undefined where no example of its resource is written down. */
export function answerExample({ data, isList }: Operation): unknown {
  if (!data) return undefined
  const example = exampleOf(isList ? itemOf(data) : data)
  if (example === undefined) return undefined
  return { success: true, data: isList ? { items: [example] } : example, meta: META }
}

function exampleOf(schema: unknown): unknown {
  const name = Object.entries(API_SCHEMAS).find(([, known]) => known === schema)?.[0]
  return name === undefined ? undefined : (RESOURCE_EXAMPLES as Readonly<Record<string, unknown>>)[name]
}

/** Returns the schema of a list's items. */
function itemOf(schema: z.ZodType): unknown {
  const { items } = (schema as z.ZodObject<{ items: z.ZodArray }>).shape
  return items.element
}
