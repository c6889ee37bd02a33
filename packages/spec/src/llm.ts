import { z } from './zod.ts'
import type { Backend } from './backend.ts'
import type { LlmSettings } from './types.ts'

/** Settings for a language model in planning. Every member has a default. */
export const llmSettingsSchema = z
  .strictObject({
    onFailure: z
      .enum(['error', 'fallback'])
      .describe(
        'Without a usable answer: GENERATION_FAILED (default), or the plan of the rules and a warning (default of the command line).',
      ),
    comments: z
      .boolean()
      .describe('Send the comments of columns and table, cleaned and cut to 200 characters. Default false.'),
    redactNames: z
      .boolean()
      .describe('Send `c1`, `c2`, … in place of names, and omit the table name. Default false.'),
    allowExpressions: z
      .boolean()
      .describe(
        'Let the model give a SQL expression for a column; each is parsed and checked. Default false.',
      ),
    examples: z
      .int()
      .min(0)
      .max(200)
      .describe(
        "The maximum number of renames and descriptions of the user's own project to send. Default 40.",
      ),
    columnsPerCall: z
      .int()
      .min(1)
      .max(500)
      .describe('The number of columns in one conversation; wider tables need several. Default 60.'),
    maxOutputTokens: z
      .int()
      .min(256)
      .max(128_000)
      .describe('The maximum number of tokens in one answer. Default 8192.'),
    maxTokens: z
      .int()
      .min(1000)
      .describe('The limit of tokens for one table, after which no further call is made. Default 100000.'),
    deadlineSeconds: z
      .number()
      .positive()
      .max(3600)
      .describe('The time limit for one table in seconds, over all calls. Default 120.'),
  })
  .partial()
  .readonly()

/** The tokens that calls to a backend used. */
export const usageSchema = z.object({
  input: z.int().nonnegative(),
  cacheRead: z.int().nonnegative(),
  cacheWrite: z.int().nonnegative(),
  output: z.int().nonnegative(),
  reasoning: z.int().nonnegative(),
  attempts: z.int().nonnegative(),
  incomplete: z.boolean(),
})

export type { LlmSettings } from './types.ts'

/** A language model for names, descriptions and tests, and its settings. */
export interface LlmOptions extends LlmSettings {
  /** The backend: `anthropic({ apiKey })` of `@stagecraft/llm`, or your own. */
  readonly backend: Backend
}

/**
 * `input` includes the cached part, `output` the reasoning. `attempts` counts calls. `incomplete` means that some
 * calls ended without reporting their tokens, which count as zero.
 */
export type Usage = z.infer<typeof usageSchema>
