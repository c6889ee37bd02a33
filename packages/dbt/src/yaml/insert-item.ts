import { isNode, isSeq, type Node } from 'yaml'
import type { Change, Splice } from './change.ts'
import { insertIntoFlow } from './insert-into-flow.ts'
import {
  placeAfterComments,
  columnOf,
  dashesOf,
  lineBreakOf,
  lineStart,
  placeAfter,
  type ReadSeq,
  startOf,
} from './positions.ts'
import { printValue } from './print-value.ts'
import { Refusal } from './refusal.ts'
import type { YamlValue } from './yaml-edit.ts'
import { nodeAt, type YamlFile, type YamlPath } from './yaml-file.ts'

export interface InsertedItem {
  /** The index of the new item; the length of the list appends it. */
  readonly index: number
  readonly value: YamlValue
}

/**
 * Inserts an item into an existing list, indented like its other items.
 *
 * @throws {Refusal} If there is no list with items at the path.
 */
export function insertItem(file: YamlFile, path: YamlPath, { index, value }: InsertedItem): Change {
  const seq = listAt(file, path)
  const meaning = { kind: 'insert', list: path, index, value } as const
  if (seq.flow === true) return { splices: [insertIntoFlow(file.text, seq, { index, value })], meaning }
  const list = readDashes(file.text, seq)
  return { splices: [insertLines(file.text, list, { index, lines: printItem(file, list, value) })], meaning }
}

/** The lines of an item, including its dash and the comments above it. */
export interface WrittenItem extends InsertedItem {
  readonly lines: readonly string[]
  /** The column of its dash. */
  readonly column: number
}

/** Inserts the text of an item from elsewhere, indented to the dashes of the list. */
export function insertWritten(file: YamlFile, path: YamlPath, item: WrittenItem): Change {
  const list = readDashes(file.text, listAt(file, path))
  const lines = shiftLines(item.lines, list.column - item.column)
  const { index, value } = item
  return {
    splices: [insertLines(file.text, list, { index, lines })],
    meaning: { kind: 'insert', list: path, index, value },
  }
}

/** Changes the indent of lines. Comments may be indented less than their subject. */
export function shiftLines(lines: readonly string[], by: number): readonly string[] {
  if (by >= 0) return lines.map((line) => (line.trim() === '' ? line : `${' '.repeat(by)}${line}`))
  return lines.map((line) => line.slice(Math.min(-by, /^ */.exec(line)?.[0].length ?? 0)))
}

function listAt(file: YamlFile, path: YamlPath): ReadSeq {
  const seq = nodeAt(file, path)
  if (isSeq(seq) && seq.items.length > 0) return seq
  throw new Refusal('there is no list to add to', seq ? startOf(seq) : 0)
}

interface DashList {
  readonly items: readonly Node[]
  readonly dashes: readonly number[]
  /** The column of the dashes. */
  readonly column: number
  /** The number of blanks after a dash. */
  readonly blanks: number
}

function readDashes(text: string, seq: ReadSeq): DashList {
  const dashes = dashesOf(seq)
  const items = seq.items.filter(isNode)
  const [first = 0] = dashes
  const blanks = dashes
    .map((dash) => /^( *)[^\s#]/.exec(text.slice(dash + 1, dash + 20))?.[1]?.length ?? 0)
    .find((count) => count > 0)
  return { items, dashes, column: columnOf(text, first), blanks: blanks ?? 1 }
}

function printItem(file: YamlFile, { blanks, column }: DashList, value: YamlValue): readonly string[] {
  const inner = ' '.repeat(column + 1 + blanks)
  return printValue(value, file.style).map((line, index) => {
    if (index === 0) return `${' '.repeat(column)}-${' '.repeat(blanks)}${line}`
    return line === '' ? '' : `${inner}${line}`
  })
}

interface InsertedLines {
  readonly index: number
  readonly lines: readonly string[]
}

function insertLines(text: string, list: DashList, inserted: InsertedLines): Splice {
  return inserted.index === 0 ? beforeFirst(text, list, inserted.lines) : behind(text, list, inserted)
}

function behind(text: string, { dashes, items }: DashList, { index, lines }: InsertedLines): Splice {
  const previous = items[index - 1]
  if (!previous) throw new Refusal('the list has empty items; edit it by hand', dashes[0] ?? 0)
  const lineBreak = lineBreakOf(text)
  const place = placeAfter(text, previous)
  const column = columnOf(text, dashes[0] ?? 0)
  const { isLineStart, offset } = index === items.length ? placeAfterComments(text, place, column) : place
  const gap = hasGap(text, { dashes, items }, index) ? lineBreak : ''
  const body = lines.join(lineBreak)
  const inserted = isLineStart ? `${gap}${body}${lineBreak}` : `${lineBreak}${gap}${body}`
  return { start: offset, end: offset, text: inserted }
}

/** Returns true if blank lines separate the two items before or around a place in the list. */
function hasGap(text: string, { dashes, items }: Pick<DashList, 'dashes' | 'items'>, index: number): boolean {
  const next = index < items.length ? index : index - 1
  const [before, dash] = [items[next - 1], dashes[next]]
  if (!before || dash === undefined) return false
  return /\n[ \t]*\r?\n/.test(text.slice(placeAfter(text, before).offset, dash))
}

function beforeFirst(text: string, { dashes, items }: DashList, lines: readonly string[]): Splice {
  const [dash = 0] = dashes
  const line = lineStart(text, dash)
  if (text.slice(line, dash).trim() !== '') throw new Refusal('the list does not begin on its own line', dash)
  const start = aboveComments(text, line, dash - line)
  const lineBreak = lineBreakOf(text)
  const gap = hasGap(text, { dashes, items }, 1) ? lineBreak : ''
  return { start, end: start, text: `${lines.join(lineBreak)}${lineBreak}${gap}` }
}

/** Returns the start of the comments directly above a line, which belong to its item. */
function aboveComments(text: string, line: number, column: number): number {
  const before = lineStart(text, Math.max(line - 1, 0))
  const isComment = new RegExp(`^ {${column}}#`).test(text.slice(before, line))
  return isComment && before < line ? aboveComments(text, before, column) : line
}
