import fc from 'fast-check'
import type { JsonSchema } from './document.ts'

/** What no answer may have in it. */
export const SECRET = 'hunter2fuzz'

/** What values are made from, beside their schema. */
export interface ValueSources {
  readonly schemas: Readonly<Record<string, JsonSchema>>
  /** Values that are there, by the name of a member or parameter. */
  readonly known: Readonly<Record<string, readonly string[]>>
}

const SECRETS = new Set(['secret', 'token', 'privateKey', 'knownHosts', 'username'])
const DEEPEST = 6

/** Values that a schema lets through. */
export function valueOf(
  schema: JsonSchema,
  sources: ValueSources,
  name = '',
  depth = 0,
): fc.Arbitrary<unknown> {
  const inner = (part: JsonSchema, member = name) => valueOf(part, sources, member, depth + 1)
  if (schema.$ref !== undefined) return inner(named(schema.$ref, sources))
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((part) => inner(part)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  switch (schema.type) {
    case 'string':
      return textOf(schema, sources, name)
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? 1, max: Math.min(schema.maximum ?? 1000, 1000) })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(inner(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 3)),
      })
    case 'object':
      return depth > DEEPEST ? fc.constant({}) : objectOf(schema, inner)
    case undefined:
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function named(reference: string, { schemas }: ValueSources): JsonSchema {
  return schemas[reference.replace('#/components/schemas/', '')] ?? {}
}

function objectOf(
  { additionalProperties, properties = {}, required = [] }: JsonSchema,
  inner: (schema: JsonSchema, name?: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, inner(part, name)]),
  )
  const requiredKeys = required.filter((name) => name in members)
  const needed = Object.fromEntries(Object.entries(members).filter(([name]) => requiredKeys.includes(name)))
  const record = fc.oneof(fc.record(needed), fc.record(members, { requiredKeys }))
  if (typeof additionalProperties !== 'object') return record
  const more = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), inner(additionalProperties), {
    maxKeys: 3,
  })
  return fc.tuple(more, record).map(([others, own]) => ({ ...others, ...own }))
}

function textOf(schema: JsonSchema, { known }: ValueSources, name: string): fc.Arbitrary<string> {
  const there = known[name] ?? []
  const fitting = there.filter(
    (text) => schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(text),
  )
  const plain = plainText(schema)
  if (SECRETS.has(name)) return plain.map((text) => `${SECRET}${text}`.slice(0, schema.maxLength))
  return fitting.length === 0
    ? plain
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: plain })
}

function plainText({ format, maxLength = 50, minLength = 0, pattern }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    const [min, max] = [new Date('2020-01-01'), new Date('2030-01-01')]
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString())
  }
  if (pattern?.startsWith('^[^') !== true && pattern !== undefined)
    return fc.stringMatching(new RegExp(pattern))
  const unit = pattern === undefined ? 'grapheme' : 'grapheme-ascii'
  return fc.string({ unit, minLength, maxLength: Math.min(Math.max(minLength, 30), maxLength) })
}

/** The same with one thing that is wrong with it, somewhere. */
export function spoilt(value: unknown): fc.Arbitrary<unknown> {
  const junk = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('', ' ', '\u0000', null, -1, 1e308, 2 ** 60, [], {}, 'x'.repeat(20_000)),
  )
  if (typeof value !== 'object' || value === null) return junk
  const keys = Object.keys(value)
  if (keys.length === 0) return junk
  const members = value as Readonly<Record<string, unknown>>
  const replace = fc
    .constantFrom(...keys)
    .chain((key) => spoilt(members[key]).map((part) => withMember(value, key, part)))
  const drop = fc.constantFrom(...keys).map((key) => withMember(value, key, undefined))
  const add = fc.tuple(fc.constantFrom('__proto__', 'constructor', 'x', '', 'toString'), junk)
  return fc.oneof(
    { weight: 3, arbitrary: replace },
    drop,
    add.map(([key, part]) => withMember(value, key, part)),
    { weight: 1, arbitrary: junk },
  )
}

function withMember(value: object, key: string, part: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, index) => (String(index) === key ? part : item))
  // Of JSON, where `__proto__` is a member as any other.
  const rest = Object.entries(value).filter(([name]) => name !== key)
  return Object.fromEntries(part === undefined ? rest : [...rest, [key, part]])
}
