import {
  errorEnvelopeSchema,
  generationRequestSchema,
  metaSchema,
  successEnvelopeSchema,
} from '@stagecraft/spec'
import { z } from 'zod'

/** What the health routes answer. */
const healthEnvelopeSchema = z.object({
  success: z.literal(true),
  data: z.object({ status: z.enum(['ok', 'ready']) }),
  meta: metaSchema.pick({ requestId: true, timestamp: true, tokensUsed: true }),
})

export type Schema = Readonly<Record<string, unknown>>

/** The schemas of the document, from those that validate. */
export function documentSchemas(): Readonly<Record<string, Schema>> {
  return {
    GenerationRequest: toSchema(generationRequestSchema),
    SuccessEnvelope: toSchema(successEnvelopeSchema),
    ErrorEnvelope: toSchema(errorEnvelopeSchema),
    HealthEnvelope: toSchema(healthEnvelopeSchema),
  }
}

function toSchema(schema: z.ZodType): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    // In TypeScript it means that nobody changes it; in OpenAPI, that a request must not have it.
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly
    },
  })
  return rest
}
