import { z } from 'zod'
import { generationOptionsSchema } from './options.ts'

/** The kinds of model. Each is a row in core's table of kinds, with a plan function and a template. */
export const MODEL_KINDS = ['staging', 'base', 'snapshot'] as const

/** What `POST /generate` and `generate()` take. */
export const generationRequestSchema = z
  .strictObject({
    type: z.enum(MODEL_KINDS),
    source: z.string().min(1).describe('Dotted name of the source table: `raw.stripe.payments`.'),
    options: generationOptionsSchema.optional(),
  })
  .readonly()

export type ModelKind = (typeof MODEL_KINDS)[number]
export type GenerationRequest = z.infer<typeof generationRequestSchema>
