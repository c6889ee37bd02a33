import { z } from 'zod'
import { metaSchema } from '../envelope.ts'
import { ERROR_CODES } from '../errors.ts'

/** An id as it is made: `proj_`, and digits and small letters. */
export function idField(prefix: string, description?: string): z.ZodString {
  const field = z.string().regex(new RegExp(`^${prefix}_[0-9A-Za-z]+$`))
  return description === undefined ? field : field.describe(description)
}

export const timeField = z.iso.datetime().describe('ISO 8601 in UTC.')

/**
 * Control characters, between the brackets of a pattern. Patterns are read by clients in other languages too: as these
 * characters and escapes mean the same to ECMAScript, Python, Go, Java and Rust, which classes such as `\p{Cc}`,
 * octal escapes, `\u` and looking around do not.
 */
export const CONTROL_CHARACTERS = String.raw`\x00-\x1f\x7f-\x9f`

/** A name that people give. */
export const nameField = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(new RegExp(`^[^${CONTROL_CHARACTERS}]*$`), 'expected text without control characters')

const versionField = z.int().positive().describe('Counts changes; part of the `ETag` of the resource.')

/** The query that selects a page of a list. */
export const pageQuery = z.strictObject({
  limit: z.coerce
    .number()
    .pipe(z.int().min(1).max(200))
    .default(50)
    .describe('The number of items on a page. Default 50.'),
  cursor: z.string().min(1).max(500).optional().describe('`meta.nextCursor` of the previous page.'),
})

/** A list, newest first. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item) })
}

/** `meta` of a success under `/v1`. */
export const apiMetaSchema = metaSchema.pick({ requestId: true, timestamp: true, tokensUsed: true }).extend({
  nextCursor: z.string().optional().describe('The `cursor` of the next page, if there is one.'),
})

/** A failure that stands on a resource. */
export const failureField = z.object({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
})

/** The life of work that is done behind a request. */
export const JOB_STATES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

export type JobState = (typeof JOB_STATES)[number]

/** The fields of every job. */
export const jobFields = {
  state: z.enum(JOB_STATES),
  error: failureField.optional().describe('Present if it failed.'),
  createdAt: timeField,
  startedAt: timeField.optional(),
  finishedAt: timeField.optional(),
}

/** The fields of every resource that can be changed. */
export const recordFields = { version: versionField, createdAt: timeField, updatedAt: timeField }

export const jobQuery = pageQuery.extend({ state: z.enum(JOB_STATES).optional() })

/** The answer to a deletion. */
export const deletedSchema = z.object({ id: z.string(), deleted: z.literal(true) })
