import { z } from '../zod.ts'
import { metaSchema } from '../envelope.ts'
import { ERROR_CODES } from '../errors.ts'

/** The resources of ids, by prefix. */
const ID_PREFIXES = {
  anl: 'analysis',
  aud: 'entry of the audit log',
  conn: 'connection',
  conv: 'conversation',
  dlv: 'delivery',
  evt: 'event',
  gen: 'generation',
  key: 'key',
  msg: 'message',
  proj: 'project',
  prop: 'proposal',
  push: 'push',
  scan: 'scan',
  ses: 'session',
  unit: 'unit',
  whk: 'webhook',
} as const

/** Returns the schema of a generated id: `proj_`, then digits and lower-case letters. */
export function idField(prefix: keyof typeof ID_PREFIXES): z.ZodString {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z]+$`), `expected an id such as ${prefix}_…`)
    .describe(
      `The id of ${prefix === 'evt' || prefix === 'anl' || prefix === 'aud' ? 'an' : 'a'} ${ID_PREFIXES[prefix]}.`,
    )
}

export const timeField = z.iso.datetime().describe('ISO 8601 in UTC.')

/**
 * Control characters, for use inside the brackets of a pattern. Clients in other languages read the patterns too.
 * These escapes mean the same in ECMAScript, Python, Go, Java and Rust, unlike classes such as `\p{Cc}`, octal
 * escapes, `\u` and lookaround.
 */
export const CONTROL_CHARACTERS = String.raw`\x00-\x1f\x7f-\x9f`

/** A name chosen by people. */
export const nameField = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(new RegExp(`^[^${CONTROL_CHARACTERS}]*$`), 'expected text without control characters')
  .describe('A name for people, of 1 to 200 characters.')

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

/** Returns the query that selects items by a text. */
export function searchField(place: string): z.ZodOptional<z.ZodString> {
  return z
    .string()
    .min(1)
    .max(200)
    .regex(new RegExp(`^[^${CONTROL_CHARACTERS}]*$`), 'expected text without control characters')
    .optional()
    .describe(`Only items with this text in ${place}; case is ignored.`)
}

/** The query that selects items of a period. */
export const periodFields = {
  since: timeField.optional().describe('Items that were created at or after this time.'),
  until: timeField.optional().describe('Items that were created before this time.'),
}

/** Returns the schema of a list, newest first. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item).describe('The items of this page.') })
}

/** The `meta` of a success under `/v1`. */
export const apiMetaSchema = metaSchema.pick({ requestId: true, timestamp: true, tokensUsed: true }).extend({
  nextCursor: z.string().optional().describe('The `cursor` of the next page, if there is one.'),
})

/** A failure that is part of a resource. */
export const failureField = z.object({
  code: z.enum(ERROR_CODES).describe('The kind of failure, for programs.'),
  message: z.string().describe('The reason, for people.'),
  details: z.record(z.string(), z.unknown()).optional().describe('Further data, by the code.'),
})

/** The states of background work. */
export const JOB_STATES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

export type JobState = (typeof JOB_STATES)[number]

/** The fields of every job. */
export const jobFields = {
  state: z
    .enum(JOB_STATES)
    .describe('`queued` and `running` jobs change automatically; all other states are final.'),
  error: failureField.optional().describe('Present if it failed.'),
  createdAt: timeField,
  startedAt: timeField.optional(),
  finishedAt: timeField.optional(),
}

/** The fields of every resource that can be changed. */
export const recordFields = { version: versionField, createdAt: timeField, updatedAt: timeField }

export const jobQuery = pageQuery.extend({
  state: z.enum(JOB_STATES).optional().describe('Only jobs in this state.'),
  ...periodFields,
})

/** The answer to a deletion. */
export const deletedSchema = z.object({
  id: z.string().describe('The id of the deleted resource.'),
  deleted: z.literal(true).describe('Always true.'),
})
