import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { Refusal } from './refusal.ts'

/** A map or list with its source text. */
export type ReadMap = YAMLMap
export type ReadSeq = YAMLSeq

/** Returns the offset at which the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** Returns the offset at which the line of an offset ends, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const found = text.indexOf('\n', offset)
  const end = found === -1 ? text.length : found
  return end > offset && text[end - 1] === '\r' ? end - 1 : end
}

/** Returns the offset at which the next line begins; the end of the text on the last line. */
export function nextLine(text: string, offset: number): number {
  const found = text.indexOf('\n', offset)
  return found === -1 ? text.length : found + 1
}

/** Returns the number of characters before an offset on its line, without a byte order mark. */
export function columnOf(text: string, offset: number): number {
  const start = lineStart(text, offset)
  return offset - start - (start === 0 && text.startsWith('\uFEFF') ? 1 : 0)
}

/** Returns the offset after the last content of a text: before `...`, if that ends its document. */
export function documentEnd(text: string): number {
  const marker = /(?:^|\n)(\.\.\.[ \t]*(?:#[^\n]*)?\s*)$/.exec(text)
  return text.length - (marker?.[1]?.length ?? 0)
}

/** Returns the line break of a text. */
export function lineBreakOf(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

/** A place where text may be inserted as separate lines. */
export interface LinePlace {
  readonly offset: number
  /** True if the place is the beginning of a line rather than the end of one. */
  readonly isLineStart: boolean
}

/**
 * Returns the place after everything that belongs to a node, the comment on its last line included. Comments and blank
 * lines below do not belong to it, except blank lines that a scalar keeps (`|+`).
 */
export function placeAfter(text: string, node: Node): LinePlace {
  return placeBehindOffset(text, lastLeaf(node))
}

function placeBehindOffset(text: string, { end, keeps }: Leaf): LinePlace {
  if (keeps) {
    if (end > 0 && text[end - 1] === '\n') return { offset: end, isLineStart: true }
    return { offset: lineEnd(text, end), isLineStart: false }
  }
  let last = end
  while (last > 0 && /\s/.test(text[last - 1] ?? '')) last -= 1
  return { offset: lineEnd(text, last), isLineStart: false }
}

/**
 * Returns the place after the comments directly below the last item of a list that are indented like its dashes. They
 * belong to the list, unless a key at the same indentation follows.
 */
export function placeAfterComments(text: string, place: LinePlace, column: number): LinePlace {
  if (place.isLineStart || column === 0) return place
  let { offset } = place
  for (let next = nextLine(text, offset); next < text.length; next = nextLine(text, offset)) {
    const line = text.slice(next, lineEnd(text, next))
    const indent = line.search(/\S/)
    if (indent < column || line[indent] !== '#') break
    offset = lineEnd(text, next)
  }
  const below = /^[ \t]*[^\s#]/m.exec(text.slice(nextLine(text, offset)))
  return below && below[0].length > column ? place : { offset, isLineStart: false }
}

/** Returns the place after everything that belongs to a pair, whose value may be empty. */
export function placeAfterPair(text: string, pair: Pair): LinePlace {
  return placeBehindOffset(text, lastLeafOfPair(pair))
}

interface Leaf {
  readonly end: number
  /** True if blank lines at the end are part of it. */
  readonly keeps: boolean
}

function lastLeaf(node: Node): Leaf {
  if (isMap(node) && node.flow !== true && node.items.length > 0) {
    const pair = node.items.at(-1)
    if (pair) return lastLeafOfPair(pair)
  }
  if (isSeq(node) && node.flow !== true) {
    const item = node.items.at(-1)
    if (isNode(item)) return lastLeaf(item)
  }
  const isBlock = isScalar(node) && (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED)
  return { end: rangeOf(node)[1], keeps: isBlock && keepsBlankLines(node) }
}

function lastLeafOfPair({ key, value }: Pair): Leaf {
  const keyEnd = isNode(key) ? rangeOf(key)[1] : 0
  const leaf = isNode(value) ? lastLeaf(value) : { end: keyEnd, keeps: false }
  return leaf.end > keyEnd ? leaf : { end: keyEnd, keeps: false }
}

function keepsBlankLines({ srcToken }: Scalar): boolean {
  if (srcToken?.type !== 'block-scalar') return false
  return srcToken.props.some((token) => token.type === 'block-scalar-header' && token.source.includes('+'))
}

/** Returns the start of a node, the end of its value, and the end of what follows on its line. */
export function rangeOf(node: Node): readonly [start: number, valueEnd: number, nodeEnd: number] {
  if (node.range) return node.range
  throw new Refusal('the entry has no place in the text', 0)
}

/** Returns the offsets of the dashes of a block list, one for each of its items. */
export function dashesOf(seq: ReadSeq): readonly number[] {
  const token = seq.srcToken
  if (token?.type !== 'block-seq')
    throw new Refusal('the list is not written as a list of dashes', startOf(seq))
  const dashes = token.items.flatMap(
    ({ start }) => start.find(({ type }) => type === 'seq-item-ind')?.offset ?? [],
  )
  if (dashes.length === seq.items.length) return dashes
  throw new Refusal('the list has items that cannot be distinguished', startOf(seq))
}

export function startOf(node: Node): number {
  return rangeOf(node)[0]
}

/** Returns the offset of the first key of a block map. */
export function firstKeyOf(map: ReadMap): number {
  const key = map.items[0]?.key
  if (isNode(key)) return startOf(key)
  throw new Refusal('the entry is empty', startOf(map))
}

/** Returns the offset after the colon of a pair. */
export function colonOf({ key, srcToken, value }: Pair): number {
  const token =
    srcToken && 'sep' in srcToken ? srcToken.sep?.find(({ type }) => type === 'map-value-ind') : undefined
  if (token) return token.offset + 1
  const place = isNode(key) ? key : isNode(value) ? value : undefined
  throw new Refusal('the key has no colon', place ? startOf(place) : 0)
}
