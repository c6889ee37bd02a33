// Answers that the schemas of the operations allow.

/** The part of JSON Schema that these schemas use. */
interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly format?: string
  readonly propertyNames?: JsonSchema
  readonly additionalProperties?: JsonSchema | boolean
}

export interface SampleOptions {
  /** Optional members too. */
  readonly isWhole: boolean
  /** Members that no schema knows, in every object. */
  readonly isNewer?: boolean
}

export function sample(schema: JsonSchema, options: SampleOptions): unknown {
  if (schema.const !== undefined) return schema.const
  // Jobs have ended, so that nobody waits.
  if (schema.enum) return schema.enum.find((value) => value === 'completed') ?? schema.enum[0]
  if (schema.anyOf?.[0]) return sample(schema.anyOf[0], options)
  const [type = ''] = [schema.type].flat()
  switch (type) {
    case 'object':
      return sampleObject(schema, options)
    case 'array':
      return schema.items && [sample(schema.items, options)]
    case 'string':
      return sampleText(schema)
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    default:
      return { of: 'any kind' }
  }
}

function sampleObject(schema: JsonSchema, options: SampleOptions): object {
  const { additionalProperties: values, properties = {}, required = [] } = schema
  const known = Object.entries(properties)
    .filter(([name]) => options.isWhole || required.includes(name))
    .map(([name, inner]) => [name, sample(inner, options)])
  const isRecord = typeof values === 'object' && Object.keys(values).length > 0
  const names = isRecord ? (schema.propertyNames?.enum ?? []) : []
  const counted = names.map((name) => [String(name), sample(values as JsonSchema, options)])
  const added = options.isNewer && schema.properties ? { addedLater: { much: 1 } } : {}
  return { ...Object.fromEntries([...known, ...counted]), ...added }
}

function sampleText({ format, pattern = '' }: JsonSchema): string {
  if (format === 'date-time') return '2026-11-21T09:30:00.000Z'
  if (format === 'date') return '2026-11-21'
  if (pattern === String.raw`\{name\}`) return '{name}'
  const [, prefix] = /^\^([a-z]+)_\[/.exec(pattern) ?? []
  return prefix === undefined ? 'text' : `${prefix}_0a`
}
