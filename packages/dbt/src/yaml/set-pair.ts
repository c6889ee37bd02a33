import { isCollection, isMap, isNode, isScalar, type Node, type Pair } from 'yaml'
import type { Change, Splice } from './change.ts'
import { insertPairIntoFlow } from './insert-into-flow.ts'
import {
  colonOf,
  columnOf,
  documentEnd,
  firstKeyOf,
  lineBreakOf,
  lineEnd,
  placeAfter,
  placeAfterPair,
  rangeOf,
  startOf,
} from './positions.ts'
import { printFlow, printScalar, printValue } from './print-value.ts'
import { Refusal } from './refusal.ts'
import type { YamlValue } from './yaml-edit.ts'
import { keyOf, nodeAt, pairOf, type YamlFile, type YamlPath } from './yaml-file.ts'
import type { YamlStyle } from './yaml-style.ts'

export interface NewPair {
  readonly key: string
  readonly value: YamlValue
  /** The pair is placed after the last existing one of these keys. @default after the last pair */
  readonly after?: readonly string[]
}

/**
 * Sets a pair of a map; an existing key must have no value, a scalar or an empty list.
 *
 * @throws {Refusal} If there is no map at the path, or the key has another value.
 */
export function setPair(file: YamlFile, path: YamlPath, pair: NewPair): Change {
  const map = nodeAt(file, path)
  const meaning = { kind: 'set', path: [...path, pair.key], value: pair.value } as const
  if (path.length === 0 && (map === undefined || isEmptyScalar(map)))
    return { splices: [appendPair(file, pair)], meaning }
  if (!isMap(map)) throw new Refusal('there is no map to add to', map ? startOf(map) : 0)
  const present = pairOf(map, pair.key)
  if (present) return { splices: replaceValue(file, present, { map, value: pair.value }), meaning }
  if (map.flow === true)
    return { splices: [insertPairIntoFlow(file.text, map, [pair.key, pair.value])], meaning }
  return { splices: [insertPair(file, map, pair)], meaning }
}

function isEmptyScalar(node: Node): boolean {
  return isScalar(node) && (node.value === null || node.value === undefined)
}

function appendPair(file: YamlFile, { key, value }: NewPair): Splice {
  const { text } = file
  const lineBreak = lineBreakOf(text)
  const end = documentEnd(text)
  const before = text.slice(0, end)
  const isNewLine = before === '' || before === '\uFEFF' || before.endsWith('\n')
  const body = printValue({ [key]: value }, file.style).join(lineBreak)
  return { start: end, end, text: `${isNewLine ? '' : lineBreak}${body}${lineBreak}` }
}

function insertPair(file: YamlFile, map: ReadMapNode, { after = [], key, value }: NewPair): Splice {
  const { text } = file
  const indent = ' '.repeat(columnOf(text, firstKeyOf(map)))
  const lineBreak = lineBreakOf(text)
  const previous = map.items.findLast((pair) => after.includes(keyOf(pair) ?? ''))
  const place = previous ? placeAfterPair(text, previous) : placeAfter(text, map)
  const lines = printValue({ [key]: value }, file.style).map((line) => (line === '' ? '' : indent + line))
  // an extra blank line would belong to a `|+` scalar that ends there
  const hasBlankLine = /(?:^|\n)[ \t]*\r?\n$/.test(text.slice(0, place.offset))
  const isRootList = indent === '' && Array.isArray(value)
  const body = `${isRootList && !hasBlankLine ? lineBreak : ''}${lines.join(lineBreak)}`
  const inserted = place.isLineStart ? `${body}${lineBreak}` : `${lineBreak}${body}`
  return { start: place.offset, end: place.offset, text: inserted }
}

type ReadMapNode = Extract<Node, { items: Pair[] }>

interface Replacement {
  readonly map: ReadMapNode
  readonly value: YamlValue
}

function replaceValue(file: YamlFile, pair: Pair, { map, value }: Replacement): readonly Splice[] {
  const node = writtenValue(pair)
  if (node && isCollection(node) && node.items.length > 0)
    throw new Refusal('there is a map or list already', startOf(node))
  const start = colonOf(pair)
  const end = node ? Math.max(start, trimmedEnd(file.text, node)) : start
  const style = file.style
  if (map.flow === true) return [{ start, end, text: ` ${printFlow(value)}` }]
  if (typeof value !== 'object' || value === null)
    return [replaceScalar({ node, start, end, text: scalarText(value, { node, style }) })]
  const indent = ' '.repeat(columnOf(file.text, firstKeyOf(map)))
  const key = keyOf(pair) ?? ''
  const lines = printValue({ [key]: value }, style).slice(1)
  const lineBreak = lineBreakOf(file.text)
  const behind = lineEnd(file.text, end)
  const body = lines.map((line) => `${lineBreak}${line === '' ? '' : indent + line}`).join('')
  const removed = start === end ? [] : [{ start, end, text: '' }]
  return [...removed, { start: behind, end: behind, text: body }]
}

/** Returns the value of a pair; undefined if only a comment or nothing follows the colon. */
function writtenValue({ value }: Pair): Node | undefined {
  if (!isNode(value)) return undefined
  const [start, end] = rangeOf(value)
  return end > start ? value : undefined
}

interface OldScalar {
  readonly node: Node | undefined
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Replaces a scalar and keeps the blanks between colon and value. */
function replaceScalar({ end, node, start, text }: OldScalar): Splice {
  if (!node || end <= startOf(node)) return { start, end: start, text: ` ${text}` }
  return { start: startOf(node), end, text }
}

function scalarText(
  value: string | number | boolean | null,
  { node, style }: { readonly node: Node | undefined; readonly style: YamlStyle },
): string {
  if (value === null) return 'null'
  const type = isScalar(node) ? node.type : undefined
  const quotes =
    type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE' || type === 'PLAIN' ? type : style.descriptions
  return printScalar(value, quotes)
}

/** The end of a value without the line breaks that a block scalar ends with. */
function trimmedEnd(text: string, node: Node): number {
  let [start, end] = rangeOf(node)
  while (end > start && /\s/.test(text[end - 1] ?? '')) end -= 1
  return end
}
