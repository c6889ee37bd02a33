import { z } from './zod.ts'
import { configSchema } from './config.ts'

/**
 * Returns the JSON Schema of a `stagecraft.yml`, by which editors complete and check it. Draft 7, since that is the one that
 * all language servers for YAML know.
 */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(configSchema, {
    target: 'draft-7',
    io: 'input',
    // of the types here; in a schema it would say that nobody may write the value
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
