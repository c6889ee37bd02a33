import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from '@stagecraft/spec/zod'

type JsonObject = Record<string, unknown>

/**
 * Returns the schema of a tool's input as clients see it, without what they need not be told. Input is let through: the tool
 * checks it itself, with messages that a model can correct its call by.
 */
export function wireInput(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const limit of REFUSALS) delete jsonSchema[limit]
    },
  })
  return standard(json)
}

/** Rules that only a faulty call meets: it is told of them then, and all others save the room. */
const REFUSALS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'additionalProperties'] as const

/**
 * The form of results as clients are told it. All that a tool gives is in its `output`, which would make the list of tools twice as
 * large.
 */
export const WIRE_OUTPUT: StandardSchemaWithJSON<unknown, unknown> = standard({
  type: 'object',
  required: ['total', 'items'],
})

function standard(json: JsonObject): StandardSchemaWithJSON<unknown, unknown> {
  const print = (): JsonObject => json
  return {
    '~standard': {
      version: 1,
      vendor: 'stagecraft',
      validate: (value) => ({ value }),
      jsonSchema: { input: print, output: print },
    },
  }
}
