import { z } from './zod.ts'
import { configSchema } from './config.ts'

/**
 * Returns the JSON Schema of a `stagecraft.yml`, with which editors complete and check it. Draft 7, because all YAML
 * language servers support it.
 */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(configSchema, {
    target: 'draft-7',
    io: 'input',
    // `readonly` belongs to the TypeScript types; in a schema it would forbid writing the value.
    override: ({ jsonSchema }) => delete jsonSchema.readOnly,
  })
  return {
    $schema,
    title: 'stagecraft.yml',
    description:
      'The configuration of Stagecraft. docs/reference/configuration.md explains it with examples.',
    ...schema,
  }
}
