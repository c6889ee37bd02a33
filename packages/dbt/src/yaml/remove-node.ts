import { isMap, isNode, isSeq, type Node } from 'yaml'
import type { Change, Splice } from './change.ts'
import {
  colonOf,
  columnOf,
  dashesOf,
  lineStart,
  nextLine,
  placeAfter,
  placeAfterPair,
  rangeOf,
  type ReadMap,
  startOf,
} from './positions.ts'
import { Refusal } from './refusal.ts'
import { nodeAt, pairOf, type YamlFile, type YamlPath } from './yaml-file.ts'

export interface RemovedItems {
  readonly list: YamlPath
  /** Some of the items, in any order. */
  readonly indexes: readonly number[]
  /** True if the comments right above an item are removed too. @default false */
  readonly withComments?: boolean
}

/**
 * Removes items of a list with other items.
 *
 * @throws {Refusal} If one shares a line with something else.
 */
export function removeItems(
  file: YamlFile,
  { indexes, list, withComments = false }: RemovedItems,
): readonly Change[] {
  const seq = nodeAt(file, list)
  if (!isSeq(seq)) throw new Refusal('there is no list to remove from', seq ? startOf(seq) : 0)
  const going = new Set(indexes)
  const first = seq.items.findIndex((_, index) => !going.has(index))
  const dashes = seq.flow === true ? [] : dashesOf(seq)
  return indexes.map((index) => {
    const item = seq.items[index]
    if (!isNode(item)) throw new Refusal('the item is empty; edit it by hand', startOf(seq))
    const meaning = { kind: 'remove', path: [...list, index] } as const
    if (seq.flow === true) return { splices: [fromFlow(file.text, seq.items.filter(isNode), index)], meaning }
    const dash = dashes[index] ?? 0
    const isFirst = index < first
    const before = isFirst ? undefined : seq.items[index - 1]
    const splice = wholeLines(file.text, {
      start: withComments ? commentsAbove(file.text, dash) : dash,
      end: placeAfter(file.text, item).offset,
      previous: isNode(before) ? placeAfter(file.text, before).offset : undefined,
    })
    // blank lines between the first items would stay below the key of the list
    const end = isFirst ? afterBlankLines(file.text, splice.end) : splice.end
    return { splices: [{ ...splice, end }], meaning }
  })
}

/** Returns the start of the first line that is not blank, from the start of a line. */
function afterBlankLines(text: string, start: number): number {
  const blank = /(?:[ \t]*\r?\n)*/y
  blank.lastIndex = start
  return blank.test(text) ? blank.lastIndex : start
}

/**
 * Removes a key with its value and comments.
 *
 * @throws {Refusal} If it is between braces, or shares a line with something else.
 */
export function removePair(file: YamlFile, path: YamlPath, key: string): Change {
  const map = nodeAt(file, path)
  const pair = map && pairOf(map, key)
  if (!isMap(map) || !pair || !isNode(pair.key))
    throw new Refusal(`there is no ${key}`, map ? startOf(map) : 0)
  const before = map.items[map.items.indexOf(pair) - 1]
  const meaning = { kind: 'remove', path: [...path, key] } as const
  if (map.flow === true) return { splices: [pairFromFlow(map, pair)], meaning }
  const splice = wholeLines(file.text, {
    start: startOf(pair.key),
    end: placeAfterPair(file.text, pair).offset,
    previous: before ? placeAfterPair(file.text, before).offset : undefined,
  })
  return { splices: [splice], meaning }
}

/**
 * Empties a list to `[]`.
 *
 * @throws {Refusal} If an item shares a line with something else.
 */
export function emptyList(file: YamlFile, path: YamlPath, key: string): Change {
  const map = nodeAt(file, path)
  const pair = map && pairOf(map, key)
  const seq = pair?.value
  if (!pair || !isSeq(seq)) throw new Refusal(`there is no list ${key}`, map ? startOf(map) : 0)
  const meaning = { kind: 'set', path: [...path, key], value: [] } as const
  const [start, end] = rangeOf(seq)
  if (seq.flow === true) return { splices: [{ start, end, text: '[]' }], meaning }
  const last = seq.items.findLast(isNode)
  const items = wholeLines(file.text, {
    start: dashesOf(seq)[0] ?? start,
    end: placeAfter(file.text, last ?? seq).offset,
    previous: undefined,
  })
  const colon = colonOf(pair)
  return { splices: [{ start: colon, end: colon, text: ' []' }, items], meaning }
}

/** Returns the range of a pair with the comma before it, or after it for the first one. */
function pairFromFlow({ items }: ReadMap, pair: ReadMap['items'][number]): Splice {
  const at = items.indexOf(pair)
  const [before, next] = [items[at - 1], items[at + 1]]
  if (before) return { start: endOfPair(before), end: endOfPair(pair), text: '' }
  if (next && isNode(pair.key) && isNode(next.key))
    return { start: startOf(pair.key), end: startOf(next.key), text: '' }
  throw new Refusal(
    'it is the only pair between braces; edit it by hand',
    isNode(pair.key) ? startOf(pair.key) : 0,
  )
}

function endOfPair({ key, value }: ReadMap['items'][number]): number {
  const ends = [key, value].flatMap((node) => (isNode(node) ? [rangeOf(node)[1]] : []))
  return Math.max(0, ...ends)
}

/**
 * Returns the offset of the comments right above a dash, in the same column; that of the dash without any.
 */
export function commentsAbove(text: string, dash: number): number {
  const start = lineStart(text, dash)
  const above = lineStart(text, start - 1)
  const line = text.slice(above, start)
  const isComment = start > 0 && line.trimStart().startsWith('#')
  const column = line.length - line.trimStart().length
  return isComment && column === columnOf(text, dash) ? commentsAbove(text, above + column) : dash
}

interface Removed {
  readonly start: number
  readonly end: number
  /** The end of the previous item; undefined for the first one. */
  readonly previous: number | undefined
}

/** Returns the lines of an entry, with preceding blank lines unless a comment is among them. */
function wholeLines(text: string, { end, previous, start }: Removed): Splice {
  const from = lineStart(text, start)
  if (text.slice(from, start).replace('\uFEFF', '').trim() !== '')
    throw new Refusal('it does not begin its line; edit it by hand', start)
  const isLineEnd = previous !== undefined && text[previous - 1] !== '\n'
  if (isLineEnd && text.slice(previous, from).trim() === '' && text[end - 1] !== '\n')
    return { start: previous, end, text: '' }
  if (text[end - 1] === '\n') return { start: from, end, text: '' }
  return { start: from, end: nextLine(text, end), text: '' }
}

function fromFlow(text: string, items: readonly Node[], index: number): Splice {
  const [item, next, previous] = [items[index], items[index + 1], items[index - 1]]
  if (item && next) return { start: startOf(item), end: startOf(next), text: '' }
  if (item?.range && previous?.range) return { start: previous.range[1], end: item.range[1], text: '' }
  throw new Refusal(
    'it is the only item between brackets; edit it by hand',
    item ? startOf(item) : text.length,
  )
}
