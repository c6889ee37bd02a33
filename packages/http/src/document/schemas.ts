import {
  errorEnvelopeSchema,
  generationRequestSchema,
  metaSchema,
  successEnvelopeSchema,
} from '@stagecraft/spec'
import { API_SCHEMAS, apiMetaSchema, storedGenerationRequestSchema } from '@stagecraft/spec/api'
import { z } from '@stagecraft/spec/zod'

/** The response of the health routes. */
const healthEnvelopeSchema = z.object({
  success: z.literal(true),
  data: z.object({ status: z.enum(['ok', 'ready']) }),
  meta: metaSchema.pick({ requestId: true, timestamp: true, tokensUsed: true }),
})

export type Schema = Readonly<Record<string, unknown>>

export interface Schemas {
  /** By name, for `components`. */
  readonly components: Readonly<Record<string, Schema>>
  /** Converts a schema, with references to those that have a name. */
  readonly write: (schema: z.ZodType, io?: 'input' | 'output') => Schema
}

/** Creates the schemas of the document from those that validate requests. */
export function documentSchemas({ hasApi }: { readonly hasApi: boolean }): Schemas {
  const named: Readonly<Record<string, z.ZodType>> = {
    GenerationRequest: hasApi ? storedGenerationRequestSchema : generationRequestSchema,
    SuccessEnvelope: successEnvelopeSchema,
    ErrorEnvelope: errorEnvelopeSchema,
    HealthEnvelope: healthEnvelopeSchema,
    ...(hasApi && { Meta: apiMetaSchema, ...API_SCHEMAS }),
  }
  const metadata = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) metadata.add(schema, { id })
  const convert = (schema: z.ZodType, io: 'input' | 'output' = 'input') => toSchema(schema, { io, metadata })
  return {
    components: Object.fromEntries(
      Object.entries(named).map(([name, schema]) => {
        const { definitions, root } = convert(schema)
        return [name, definitions[name] ?? root]
      }),
    ),
    write: (schema, io) => convert(schema, io).root,
  }
}

export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

interface ConvertOptions {
  readonly io: 'input' | 'output'
  readonly metadata: z.core.$ZodRegistry<{ id: string }>
}

interface Converted {
  readonly root: Schema
  readonly definitions: Readonly<Record<string, Schema>>
}

function toSchema(schema: z.ZodType, options: ConvertOptions): Converted {
  const converted = z.toJSONSchema(schema, {
    ...options,
    override: ({ jsonSchema, zodSchema }) => {
      // `readonly` in TypeScript means "never changed"; in OpenAPI it means "not in a request".
      delete jsonSchema.readOnly
      // The pattern is 200 characters long and says the same as the format.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
      const description = z.globalRegistry.get(zodSchema)?.description
      if (description !== undefined) jsonSchema.description = description
    },
  })
  const moved = JSON.parse(
    JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as Schema & { $defs?: Converted['definitions'] }
  const { $defs: definitions = {}, $schema: _, ...root } = moved
  return { root, definitions }
}
