import type { Schema } from '../document/schemas.ts'
import { escapeHtml, prose } from './html.ts'

interface Node {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly description?: string
  readonly anyOf?: readonly Node[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly items?: Node
}

/** The fields of a schema, nested ones by their path. */
export function printFields(schema: Schema): string {
  const rows = fieldRows(schema, '').join('\n')
  const head = '<tr><th>Field</th><th>Type</th><th>Required</th><th>Notes</th></tr>'
  return `<table>\n<thead>${head}</thead>\n<tbody>\n${rows}\n</tbody>\n</table>`
}

function fieldRows({ properties = {}, required = [] }: Node, prefix: string): readonly string[] {
  return Object.entries(properties).flatMap(([name, node]) => {
    const path = `${prefix}${name}`
    const isRequired = required.includes(name) ? 'yes' : 'no'
    const cells = [
      `<code>${escapeHtml(path)}</code>`,
      typeOf(node),
      isRequired,
      prose(node.description ?? ''),
    ]
    const row = `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
    return [row, ...fieldRows(node, `${path}.`), ...fieldRows(node.items ?? {}, `${path}[].`)]
  })
}

function typeOf(node: Node): string {
  if (node.enum)
    return node.enum.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(', ')
  if (node.const !== undefined) return `<code>${escapeHtml(JSON.stringify(node.const))}</code>`
  if (node.anyOf) return node.anyOf.map(typeOf).join(' or ')
  if (node.type === 'array') return `list of ${node.items ? typeOf(node.items) : 'anything'}`
  return escapeHtml([node.type ?? 'anything'].flat().join(' or '))
}
