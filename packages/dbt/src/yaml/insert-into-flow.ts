import { isNode, isPair, type Node } from 'yaml'
import type { Splice } from './change.ts'
import {
  columnOf,
  lineBreakOf,
  lineEnd,
  lineStart,
  rangeOf,
  type ReadMap,
  type ReadSeq,
  startOf,
} from './positions.ts'
import { printFlow } from './print-value.ts'
import { Refusal } from './refusal.ts'
import type { YamlValue } from './yaml-edit.ts'

/** Inserts an item between brackets, on its own line if its neighbours have their own. */
export function insertIntoFlow(
  text: string,
  seq: ReadSeq,
  { index, value }: { readonly index: number; readonly value: YamlValue },
): Splice {
  const printed = printFlow(value)
  const items = seq.items.filter(isNode)
  const next = items[index]
  if (next) {
    const start = startOf(next)
    return { start, end: start, text: `${printed},${separator(text, next, { printed, first: items[0] })}` }
  }
  const last = items.at(-1)
  if (!last) throw new Refusal('there is no list to add to', startOf(seq))
  return insertAfterLast(text, last, { printed, first: items[0] })
}

/** Inserts a pair between braces, as the last one. */
export function insertPairIntoFlow(text: string, map: ReadMap, pair: readonly [string, YamlValue]): Splice {
  const last = map.items.at(-1)
  const printed = `${printFlow(pair[0])}: ${printFlow(pair[1])}`
  const node = isPair(last)
    ? [last.value, last.key].find((part) => isNode(part) && rangeOf(part)[1] > rangeOf(part)[0])
    : undefined
  if (!isNode(node)) throw new Refusal('the map is empty; edit it by hand', startOf(map))
  return insertAfterLast(text, node, { printed })
}

interface Printed {
  readonly printed: string
  /** The first item of the list, with which broken lines are aligned. @default lines are not broken */
  readonly first?: Node | undefined
}

function insertAfterLast(text: string, last: Node, added: Printed): Splice {
  const start = rangeOf(last)[1]
  return { start, end: start, text: `,${separator(text, last, added)}${added.printed}` }
}

/** Longer lines are hard to read and to review. */
const LONGEST_LINE = 100

/** Returns a blank, or a line break and indent if the line would be too long. */
function separator(text: string, item: Node, { first, printed }: Printed): string {
  const start = startOf(item)
  const from = lineStart(text, start)
  const before = text.slice(from, start)
  const isFirstOnLine = before.trim() === ''
  const length = lineEnd(text, start) - from + printed.length + 2
  const isTooLong = first !== undefined && length > LONGEST_LINE && !before.includes('\t')
  if (!isFirstOnLine && !isTooLong) return ' '
  return `${lineBreakOf(text)}${' '.repeat(columnOf(text, isFirstOnLine ? start : startOf(first ?? item)))}`
}
