import type { JsonSchema } from '@stagecraft/spec'
import { z } from '@stagecraft/spec/zod'
import type { Tool } from '../tool.ts'

/** Keywords that some providers do not support. They are removed; the tool checks its input itself. */
const KEPT = new Set(['type', 'enum', 'const', 'description', 'properties', 'required', 'items', 'anyOf'])

/** Converts the input schema of a tool for the port: every key is required, and optional ones may be null. */
export function toolSchema({ input }: Pick<Tool, 'input'>): JsonSchema {
  return strict(z.toJSONSchema(input, { io: 'input', target: 'draft-2020-12' }))
}

function strict(schema: unknown): JsonSchema {
  const kept = Object.entries(isObject(schema) ? schema : {})
    .map(([name, value]) => [name === 'oneOf' ? 'anyOf' : name, value] as const)
    .filter(([name]) => KEPT.has(name))
  const { properties, required, ...rest } = Object.fromEntries(kept)
  const inner = {
    ...rest,
    ...(rest['items'] !== undefined && { items: strict(rest['items']) }),
    ...(Array.isArray(rest['anyOf']) && { anyOf: rest['anyOf'].map(strict) }),
  }
  if (!isObject(properties)) return rest['type'] === 'object' ? { ...inner, ...EMPTY } : inner
  const needed = new Set(Array.isArray(required) ? required : [])
  const members = Object.entries(properties).map(([name, member]) => {
    const { description, ...form } = strict(member)
    const described = description === undefined ? {} : { description }
    return [
      name,
      needed.has(name) ? { ...form, ...described } : { anyOf: [form, { type: 'null' }], ...described },
    ] as const
  })
  return {
    ...inner,
    properties: Object.fromEntries(members),
    required: members.map(([name]) => name),
    additionalProperties: false,
  }
}

const EMPTY = { properties: {}, required: [], additionalProperties: false }

/** Converts the input of a model for the tool: null means a missing value unless the tool allows null. */
export function toToolInput({ input }: Pick<Tool, 'input'>, given: unknown): unknown {
  return input.safeParse(given).success ? given : withoutNulls(given)
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : [[name, withoutNulls(member)] as const],
    ),
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
