import { z } from './zod.ts'
import { MODEL_TYPES } from './names.ts'
import { generationOptionsSchema } from './options.ts'

/** The request of `POST /generate` and `generate()`. */
export const generationRequestSchema = z
  .strictObject({
    type: z.enum(MODEL_TYPES).describe('The type of model to write.'),
    source: z.string().min(1).describe('The dotted name of the source table: `raw.stripe.payments`.'),
    options: generationOptionsSchema
      .optional()
      .describe('Options of this request. They override configuration and preset.'),
  })
  .readonly()

export type { GenerationRequest } from './types.ts'
