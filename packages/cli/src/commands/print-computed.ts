import type { ComputedAnswer, Item } from '@stagecraft/assistant'
import { paint } from '../terminal/paint.ts'
import { print } from '../terminal/print.ts'

/**
 * Prints an answer that rules computed.
 *
 * @param prefix The path from the current folder to the project.
 */
export function printComputed({ counted, head, items, notes, readAs }: ComputedAnswer, prefix: string): void {
  print(paint('bold', readAs))
  for (const [field, value] of Object.entries(head)) print(describe(field, value, prefix))
  print(`${items.length} ${counted}${items.length > 0 ? ':' : ''}`)
  for (const item of items) print(describeItem(item, prefix))
  for (const note of notes) print(paint('yellow', `note: ${note}`))
  print(paint('dim', 'computed from the files of the project, without a language model'))
}

function describe(field: string, value: unknown, prefix: string): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${field}: ${show(value)}`
  if ('file' in value && 'line' in value && 'id' in value) {
    const text = 'text' in value ? `  ${show(value.text)}` : ''
    return `${prefix}${show(value.file)}:${show(value.line)}  ${show(value.id)}${text}`
  }
  const parts = Object.entries(value).map(([key, inner]) => `${key} ${show(inner)}`)
  return `${field}: ${parts.join(', ') || 'none'}`
}

/** Fields of items that are printed without their names. */
const PLACED = new Set(['id', 'kind', 'file', 'line', 'text', 'score', 'via', 'distance', 'fixable'])

function describeItem(item: Item, prefix: string): string {
  const { file, id, line, text } = item
  const others = Object.entries<unknown>(item)
    .filter(([field]) => !PLACED.has(field))
    .map(([field, value]) => `${field}: ${show(value)}`)
  return `  ${prefix}${file}:${line}  ${[id, text, ...others].filter(Boolean).join('  ')}`
}

function show(value: unknown): string {
  if (Array.isArray(value)) return value.map(show).join(', ') || 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
