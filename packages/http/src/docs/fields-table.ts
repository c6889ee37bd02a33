import { escapeHtml } from '@stagecraft/spec'
import type { Schema } from '../document/schemas.ts'
import { prose } from './html.ts'

interface Node {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly description?: string
  readonly anyOf?: readonly Node[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly additionalProperties?: Node | boolean
  readonly required?: readonly string[]
  readonly items?: Node
}

/** Prints the fields of a schema, nested ones by their path, and links to schemas that have a name. */
export function printFields(schema: Schema): string {
  const rows = fieldRows(schema, '')
  if (rows.length === 0) return `<p>${typeOf(schema)}</p>`
  return printRows(['Field', 'Type', 'Required', 'Notes'], rows)
}

export function printRows(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const titles = head.map((title) => `<th>${title}</th>`).join('')
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  return `<div class="table"><table>\n<thead><tr>${titles}</tr></thead>\n<tbody>\n${lines.join('\n')}\n</tbody>\n</table></div>`
}

function fieldRows({ properties = {}, required = [] }: Node, prefix: string): readonly (readonly string[])[] {
  return Object.entries(properties).flatMap(([name, node]) => {
    const path = `${prefix}${name}`
    const row = [
      `<code>${escapeHtml(path)}</code>`,
      typeOf(node),
      required.includes(name) ? 'yes' : 'no',
      prose(node.description ?? ''),
    ]
    return [row, ...fieldRows(node, `${path}.`), ...fieldRows(node.items ?? {}, `${path}[].`)]
  })
}

/** Prints the type of a field, in words. */
export function typeOf(node: Node): string {
  if (node.$ref !== undefined) {
    const name = node.$ref.slice(node.$ref.lastIndexOf('/') + 1)
    return `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`
  }
  if (node.enum)
    return node.enum.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(', ')
  if (node.const !== undefined) return `<code>${escapeHtml(JSON.stringify(node.const))}</code>`
  if (node.anyOf) return node.anyOf.map(typeOf).join(' or ')
  if (node.type === 'array') return `list of ${node.items ? typeOf(node.items) : 'anything'}`
  return escapeHtml([node.type ?? 'anything'].flat().join(' or '))
}

/**
 * Returns the type of an envelope's `data`; undefined for a schema that is not an envelope, or has its own
 * `data`.
 */
export function dataType({ properties }: Node): string | undefined {
  const data = properties?.['data']
  if (!data) return undefined
  const items = data.properties?.['items']
  return items ? `<code>items</code>, ${typeOf(items)}` : typeOf(data)
}
