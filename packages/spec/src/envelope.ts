import { z } from './zod.ts'
import { usageSchema } from './llm.ts'
import { ERROR_CODES } from './errors.ts'
import { WARNINGS, type WarningCode } from './generation.ts'

const requestId = z.string().regex(/^req_[0-9A-Za-z]+$/)

const warningCodes = Object.keys(WARNINGS) as [WarningCode, ...WarningCode[]]

export const warningSchema = z.object({
  code: z.enum(warningCodes).describe('The kind of warning, for programs.'),
  message: z.string().describe('The reason, for people.'),
  column: z.string().optional().describe('The column that it is about.'),
})

export const generationSchema = z.object({
  code: z.string(),
  schema: z.string(),
  tests: z.array(z.string()).readonly(),
  warnings: z.array(warningSchema).readonly(),
  files: z
    .array(z.object({ path: z.string(), content: z.string(), covers: z.array(z.string()).readonly() }))
    .readonly(),
})

export const metaSchema = z.object({
  requestId,
  timestamp: z.iso.datetime(),
  tokensUsed: z.int().nonnegative(),
  /** Present if a backend was used. */
  backend: z.string().optional(),
  usage: usageSchema.optional(),
  /** True if all answers of the backend came from the cache. */
  cached: z.literal(true).optional(),
  /** True if the backend gave no usable answer, so the plan uses only rules. */
  fallback: z.literal(true).optional(),
})

/** The answer to a successful generation. */
export const successEnvelopeSchema = z.object({
  success: z.literal(true),
  data: generationSchema,
  meta: metaSchema,
})

/** The answer to a failed request. Its `meta` has only the request id. */
export const errorEnvelopeSchema = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.enum(ERROR_CODES),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
  meta: z.strictObject({ requestId }),
})

export type Meta = z.infer<typeof metaSchema>
export type SuccessEnvelope = z.infer<typeof successEnvelopeSchema>
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>
