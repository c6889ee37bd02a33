import type { z } from 'zod'

/** A type to write, its schema, and the comment above it. */
export interface TypeEntry {
  readonly name: string
  readonly schema: z.core.$ZodType
  readonly doc: string
}

/** A type of another file, by its name in it. */
export interface OtherType {
  /** The file, as the printed one imports it: `./names.ts`. */
  readonly from: string
  /** The names that it lists, or its schema. */
  readonly is: readonly string[] | z.core.$ZodType
}

export interface PrintOptions {
  /** The types that the file imports, by their names. */
  readonly others: Readonly<Record<string, OtherType>>
  /** Interfaces whose members are schemas: what an operation takes and answers. */
  readonly maps?: readonly TypeMap[]
}

/** An interface with a member for each schema. */
export interface TypeMap {
  readonly name: string
  readonly doc: string
  readonly members: readonly {
    readonly key: string
    readonly doc: string
    readonly schema: z.core.$ZodType
  }[]
}

type Schema = z.core.$ZodTypes
type Definition = Schema['_zod']['def']

/** Returns what a schema was made from; clones with another description share it. */
function definitionOf(schema: Schema): Definition {
  return schema['_zod'].def
}

/** Prints the types of schemas, each with its documentation, which declarations of inferred types lose. */
export function printTypes(entries: readonly TypeEntry[], { maps = [], others }: PrintOptions): string {
  const printer = new TypePrinter(entries, others)
  const types = [...entries.map((entry) => printer.declare(entry)), ...maps.map((map) => printer.map(map))]
  return [
    '// Made from the schemas of this package by test/types/print-types.ts: change those and run',
    '// `UPDATE_GOLDEN=1 npm test -- test/types`. The types are written out because the declarations of inferred',
    '// types lose their comments, which editors show.',
    '',
    printImports(printer.used, others),
    ...types,
  ].join('\n')
}

function printImports(used: ReadonlySet<string>, others: PrintOptions['others']): string {
  const files = Map.groupBy([...used].toSorted(), (name) => others[name]?.from ?? '')
  return [...files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([from, names]) => printImport(names, from))
    .join('')
}

function printImport(names: readonly string[], from: string): string {
  const line = `import type { ${names.join(', ')} } from '${from}'\n`
  if (line.length <= WIDTH) return line
  return `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from '${from}'\n`
}

/** Returns the properties of the schemas that say nothing of themselves, those in lists and objects included. */
export function undocumented(entries: readonly TypeEntry[], { others }: PrintOptions): readonly string[] {
  const named = new Set([...entries, ...Object.values(others)].flatMap((one) => schemaOf(one) ?? []))
  const inside = (schema: Schema, path: string): readonly string[] => {
    const def = definitionOf(schema)
    if (def.type === 'object')
      return Object.entries(def.shape).flatMap(([key, value]) => [
        ...(textOf(value as Schema) === undefined ? [`${path}.${key}`] : []),
        ...(named.has(definitionOf(value as Schema)) ? [] : inside(value as Schema, `${path}.${key}`)),
      ])
    const inner = def.type === 'array' ? def.element : 'innerType' in def ? def.innerType : undefined
    return inner && !named.has(definitionOf(inner as Schema)) ? inside(inner as Schema, path) : []
  }
  return entries.flatMap(({ name, schema }) => inside(schema as Schema, name))
}

function schemaOf(one: TypeEntry | OtherType): Definition | undefined {
  if ('schema' in one) return definitionOf(one.schema as Schema)
  return '_zod' in one.is ? definitionOf(one.is as Schema) : undefined
}

class TypePrinter {
  /** The types of other files that were printed. */
  readonly used = new Set<string>()
  readonly #names: ReadonlyMap<object, string>
  readonly #others: PrintOptions['others']

  constructor(entries: readonly TypeEntry[], others: PrintOptions['others']) {
    this.#others = others
    const all = [...Object.entries(others), ...entries.map((entry) => [entry.name, entry] as const)]
    this.#names = new Map(
      all.flatMap(([name, one]) => {
        const definition = schemaOf(one)
        return definition ? [[definition, name] as const] : []
      }),
    )
  }

  map({ doc, members, name }: TypeMap): string {
    const lines = members.map(
      (member) =>
        `${printComment(member.doc, '  ')}  ${member.key}: ${this.#print(member.schema as Schema, { indent: '  ' })}\n`,
    )
    return `${printComment(doc, '')}export interface ${name} {\n${lines.join('')}}\n`
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
    if (name !== undefined && !isDeclared) {
      if (this.#others[name]) this.used.add(name)
      return name
    }
    if (def.type === 'string' || def.type === 'number' || def.type === 'boolean' || def.type === 'unknown')
      return def.type
    if (def.type === 'default') return this.#print(def.innerType as Schema, { indent })
    if (def.type === 'pipe') return this.#print(def.out as Schema, { indent })
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
      const isBare = element.startsWith('{') || !/[ |]/.test(element)
      return `${before}${isBare ? element : `(${element})`}[]`
    }
    if (def.type === 'tuple')
      return `${before}[${def.items.map((item) => this.#print(item as Schema, { indent })).join(', ')}]`
    if (def.type === 'record') {
      const key = this.#print(def.keyType as Schema)
      const record = `Record<${key}, ${this.#print(def.valueType as Schema, { indent })}>`
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
      const isOptional = schema['_zod'].optin !== undefined
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
    const [name] =
      Object.entries(this.#others).find(
        ([, { is }]) => Array.isArray(is) && is.join(' ') === values.join(' '),
      ) ?? []
    if (name === undefined) return values.map((value) => quote(value)).join(' | ')
    this.used.add(name)
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
