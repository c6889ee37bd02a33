import {
  BACKEND_NAMES,
  DIALECT_NAMES,
  MODEL_KINDS,
  CONVERSIONS,
  PRESET_NAMES,
  TABLE_KINDS,
} from '@stagecraft/spec'
import type { z } from 'zod'

/** A type to write, its schema, and the comment above it. */
export interface TypeEntry {
  readonly name: string
  readonly schema: z.core.$ZodType
  readonly doc: string
}

/** Lists of names whose types are written by hand. */
const NAMED_LISTS: Readonly<Record<string, readonly string[]>> = {
  BackendName: BACKEND_NAMES,
  DialectName: DIALECT_NAMES,
  ModelKind: MODEL_KINDS,
  Conversion: CONVERSIONS,
  PresetName: PRESET_NAMES,
  TableKind: TABLE_KINDS,
}

type Schema = z.core.$ZodTypes
type Definition = Schema['_zod']['def']

/** Returns what a schema was made from; clones with another description share it. */
function definitionOf(schema: Schema): Definition {
  return schema['_zod'].def
}

/** Prints the types of schemas, each with its documentation, which declarations of inferred types lose. */
export function printTypes(entries: readonly TypeEntry[]): string {
  const printer = new TypePrinter(entries)
  const types = entries.map((entry) => printer.declare(entry))
  const lists = [...printer.lists].toSorted().join(', ')
  return [
    '// Made from the schemas of this package by test/types/print-types.ts: change those and run',
    '// `UPDATE_GOLDEN=1 npm test -- test/types`. The types are written out because the declarations of inferred',
    '// types lose their comments, which editors show.',
    '',
    `import type { ${lists} } from './names.ts'\n`,
    ...types,
  ].join('\n')
}

/** Returns the properties of the schemas that say nothing of themselves. */
export function undocumented(entries: readonly TypeEntry[]): readonly string[] {
  return entries.flatMap(({ name, schema }) => {
    const { def } = unwrap(schema as Schema)
    if (def.type !== 'object') return []
    return Object.entries(def.shape).flatMap(([key, value]) =>
      textOf(value as Schema) === undefined ? [`${name}.${key}`] : [],
    )
  })
}

class TypePrinter {
  readonly lists = new Set<string>()
  readonly #names: ReadonlyMap<object, string>

  constructor(entries: readonly TypeEntry[]) {
    this.#names = new Map(entries.map(({ name, schema }) => [definitionOf(schema as Schema), name]))
  }

  declare({ doc, name, schema }: TypeEntry): string {
    const { def, isReadonly } = unwrap(schema as Schema)
    const comment = printComment(doc, '')
    if (def.type !== 'object')
      return `${comment}export type ${name} = ${this.#print(schema as Schema, { isDeclared: true })}\n`
    return `${comment}export interface ${name} ${this.#object(def, { isReadonly, indent: '' })}\n`
  }

  #print(schema: Schema, { indent = '', isDeclared = false, isReadonly = false } = {}): string {
    const name = this.#names.get(definitionOf(schema))
    const def = definitionOf(schema)
    if (name !== undefined && !isDeclared) return name
    if (def.type === 'string' || def.type === 'number' || def.type === 'boolean') return def.type
    if (def.type === 'enum') return this.#list(Object.values(def.entries))
    if (def.type === 'literal') return def.values.map(quote).join(' | ')
    if (def.type === 'readonly') return this.#print(def.innerType as Schema, { indent, isReadonly: true })
    if (def.type === 'optional') return this.#print(def.innerType as Schema, { indent })
    if (def.type === 'nullable') return `${this.#print(def.innerType as Schema, { indent })} | null`
    if (def.type === 'union')
      return def.options.map((option) => this.#print(option as Schema, { indent })).join(' | ')
    if (def.type === 'object') return this.#object(def, { isReadonly, indent })
    const before = isReadonly ? 'readonly ' : ''
    if (def.type === 'array') {
      const element = this.#print(def.element as Schema, { indent })
      return `${before}${/[ |]/.test(element) ? `(${element})` : element}[]`
    }
    if (def.type === 'tuple')
      return `${before}[${def.items.map((item) => this.#print(item as Schema, { indent })).join(', ')}]`
    if (def.type === 'record') {
      const record = `Record<string, ${this.#print(def.valueType as Schema, { indent })}>`
      return isReadonly ? `Readonly<${record}>` : record
    }
    throw new TypeError(`there is no way to print a schema of type ${def.type}: add one to print-types.ts`)
  }

  #object(
    { shape }: z.core.$ZodObjectDef,
    { indent, isReadonly }: { readonly indent: string; readonly isReadonly: boolean },
  ): string {
    const inner = `${indent}  `
    const members = Object.entries(shape).map(([key, value]) => {
      const schema = value as Schema
      const isOptional = schema['_zod'].optin === 'optional'
      const text = textOf(schema)
      const type = this.#print(schema, { indent: inner })
      return [
        text === undefined ? '' : printComment(text, inner),
        `${inner}${isReadonly ? 'readonly ' : ''}${key}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''}\n`,
      ].join('')
    })
    return `{\n${members.join('')}${indent}}`
  }

  #list(values: readonly (string | number)[]): string {
    const [name] = Object.entries(NAMED_LISTS).find(([, list]) => list.join(' ') === values.join(' ')) ?? []
    if (name === undefined) return values.map((value) => quote(value)).join(' | ')
    this.lists.add(name)
    return name
  }
}

function quote(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
}

function unwrap(schema: Schema): { readonly def: Definition; readonly isReadonly: boolean } {
  const def = definitionOf(schema)
  return def.type === 'readonly'
    ? { def: definitionOf(def.innerType as Schema), isReadonly: true }
    : { def, isReadonly: false }
}

/** Returns what a schema, or what it wraps, says of itself. */
function textOf(schema: Schema): string | undefined {
  const { description } = schema as unknown as z.ZodType
  const def = definitionOf(schema)
  if (description !== undefined) return description
  const isWrapped = def.type === 'optional' || def.type === 'nullable' || def.type === 'readonly'
  return isWrapped ? textOf(def.innerType as Schema) : undefined
}

const WIDTH = 110

function printComment(text: string, indent: string): string {
  const one = `${indent}/** ${text} */\n`
  if (one.length <= WIDTH) return one
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1) ?? ''} ${word}`.trim()
    if (`${indent} * ${line}`.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = line
  }
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */\n`].join('\n')
}
