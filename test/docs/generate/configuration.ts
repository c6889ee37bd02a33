import { configSchema } from '@stagecraft/spec'
import { sentence, table } from './table.ts'

interface Node {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Node[]
  readonly items?: Node
  readonly properties?: Readonly<Record<string, Node>>
  readonly additionalProperties?: Node | boolean
}

const ROOT = configSchema.toJSONSchema() as Node

/** The parts of a `stagecraft.yml` that have a table, by the path to them; `*` is any name. */
const PARTS = {
  'top-level': '',
  options: 'options',
  naming: 'naming',
  'naming-patterns': 'naming.patterns',
  'naming-types': 'naming.types.staging',
  sources: 'sources.*',
  tables: 'sources.*.tables.*',
  columns: 'sources.*.tables.*.columns.*',
  backend: 'backend',
  lint: 'lint',
} as const

/** Keys whose members have a section of their own. */
const LINKS: Readonly<Record<string, string>> = {
  options: '[Options](#options)',
  naming: '[Naming](#naming)',
}

/** Prints the keys of each part of the configuration, with values and meaning, as its schema has them. */
export function configurationTables(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(PARTS).map(([name, path]) => [
      name,
      table(
        ['Key', 'Values', 'Meaning'],
        Object.entries(partAt(path).properties ?? {}).map(([key, node]) => [
          `\`${key}\``,
          valuesOf(node),
          sentence(node.description ?? LINKS[key] ?? ''),
        ]),
      ),
    ]),
  )
}

function partAt(path: string): Node {
  return path
    .split('.')
    .filter((key) => key !== '')
    .reduce<Node>((node, key) => {
      const next = key === '*' ? node.additionalProperties : node.properties?.[key]
      if (typeof next !== 'object') throw new Error(`expected ${key} of ${path} in the schema`)
      return next
    }, ROOT)
}

function valuesOf(node: Node): string {
  if (node.anyOf) return [...new Set(node.anyOf.map(valuesOf))].join(', ')
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``
  if (node.enum) return node.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (node.type === 'boolean') return '`true`, `false`'
  if (node.type === 'array') return `list of ${node.items?.type === 'string' ? 'texts' : 'values'}`
  if (node.type === 'string') return 'text'
  if (node.type === 'object') return 'mapping'
  return node.type ?? 'any'
}
