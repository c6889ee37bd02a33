import { isDeepStrictEqual } from 'node:util'
import { asEntry } from './change.ts'
import { editYaml } from './edit-yaml.ts'
import { itemsAt, nameOf } from './find-owner.ts'
import { readYaml } from './read-yaml.ts'
import type { YamlEdit, YamlEntry, YamlText } from './yaml-edit.ts'

/** The edits of one entry of a list of models, seeds or snapshots. */
export interface EntryEdits {
  /** The present entry. */
  readonly entry: YamlEntry
  readonly edits: readonly YamlEdit[]
}

/**
 * Edits entries of a generated text one by one, because parsing a large file is slow; columns of which only parts are
 * removed, too. What cannot be cut out safely is edited in the whole text.
 */
export function editEntries({ path, text }: YamlText, entries: readonly EntryEdits[]): string {
  const asked = entries.filter(({ edits }) => edits.length > 0)
  const blocks = asked.length > 0 ? blocksOf(text) : []
  const cut = asked.flatMap(({ edits, entry }): readonly Cut[] => {
    const [block, ...others] = blocks.filter(({ name }) => name === entry['name'])
    if (!block || others.length > 0) return []
    const head = `${block.list}:\n`
    const whole: Piece = { block, head, data: { [block.list]: [entry] }, edits }
    const columns = columnPieces(text, whole, entry)
    const made = (columns ?? [whole]).map((piece) => editPiece({ path, text }, piece))
    return made.every((one) => one !== undefined) ? [{ edits, pieces: made }] : []
  })
  const done = new Set(cut.map(({ edits }) => edits))
  const rest = asked.flatMap(({ edits }) => (done.has(edits) ? [] : edits))
  const replaced = cut
    .flatMap(({ pieces }) => pieces)
    .toSorted((a, b) => b.start - a.start)
    .reduce((under, { end, start, text: piece }) => under.slice(0, start) + piece + under.slice(end), text)
  return rest.length === 0 ? replaced : editYaml({ path, text: replaced }, rest).text
}

interface Cut {
  readonly edits: readonly YamlEdit[]
  readonly pieces: readonly EditedPiece[]
}

interface EditedPiece {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Lines that are edited by themselves, below a head that makes them a whole text. */
interface Piece {
  readonly block: Pick<Item, 'start' | 'end'>
  readonly head: string
  /** The data of head and lines. */
  readonly data: YamlEntry
  readonly edits: readonly YamlEdit[]
}

/** Returns the edited lines; undefined if they are not what they look like, or an edit is refused. */
function editPiece(
  { path, text }: YamlText,
  { block: { end, start }, data, edits, head }: Piece,
): EditedPiece | undefined {
  const piece = head + text.slice(start, end)
  if (!isDeepStrictEqual(dataOf(piece), data)) return undefined
  const edited = editYaml({ path, text: piece }, edits)
  const isWhole = edited.text.startsWith(head) && edited.outcomes.every(({ status }) => status !== 'refused')
  return isWhole ? { start, end, text: edited.text.slice(head.length) } : undefined
}

/** Returns the lines of the columns to edit, if edits only remove parts of columns; undefined otherwise. */
function columnPieces(
  text: string,
  { block: { end, start }, edits, head }: Piece,
  { columns, name }: YamlEntry,
): readonly Piece[] | undefined {
  const byColumn = Map.groupBy(edits, (edit) =>
    edit.kind === 'remove-property' || edit.kind === 'remove-tests' ? edit.column : undefined,
  )
  const list = /^ *columns:\n(?= *- )/m.exec(text.slice(start, end))
  if (byColumn.has(undefined) || !list) return undefined
  const first = start + list.index + list[0].length
  const blocks = itemsOf(text.slice(first, end))
  const above = text.slice(start, text.indexOf('\n', start) + 1) + list[0]
  const pieces = [...byColumn].map(([column, own]): Piece | undefined => {
    const [block, ...others] = blocks.filter((one) => one.name === column)
    const entry = itemsAt(columns ?? null, []).find((one) => nameOf(one) === column)
    if (!block || others.length > 0 || entry === undefined) return undefined
    const data = { [head.slice(0, -2)]: [{ name: name ?? null, columns: [entry] }] }
    return {
      block: { start: first + block.start, end: first + block.end },
      head: head + above,
      data,
      edits: own,
    }
  })
  return pieces.every((piece) => piece !== undefined) ? pieces : undefined
}

/** The lines of one item, without blank ones behind them. */
interface Item {
  readonly name: string
  readonly start: number
  readonly end: number
}

interface Block extends Item {
  readonly list: string
}

/** Finds likely entries: items of a top-level list that start with their name. */
function blocksOf(text: string): readonly Block[] {
  const lists = text.matchAll(/^(models|seeds|snapshots):[ \t]*\n((?:(?:[ #-].*)?\n|[ #-].+$)*)/gm)
  return [...lists].flatMap(({ 0: whole, 1: list = '', 2: lines = '', index }) => {
    const first = index + whole.length - lines.length
    return itemsOf(lines).map(({ end, name, start }) => ({
      list,
      name,
      start: first + start,
      end: first + end,
    }))
  })
}

/** Finds the items of the list that a text begins with. */
function itemsOf(text: string): readonly Item[] {
  const items: Item[] = []
  let [indent, offset]: [number | undefined, number] = [undefined, 0]
  let open: Item | undefined
  for (const line of text.split(/(?<=\n)/)) {
    const [, spaces = '', name] = /^( *)- name: (\w+)\s*$/.exec(line) ?? []
    const isItem = name !== undefined && spaces.length === (indent ?? spaces.length)
    const isBelow = line.trim() === '' || (/^ */.exec(line)?.[0].length ?? 0) > (indent ?? -1)
    if (open && (isItem || !isBelow)) {
      items.push(open)
      open = undefined
    }
    if (isItem) [indent, open] = [spaces.length, { name, start: offset, end: offset + line.length }]
    else if (open && line.trim() !== '') open = { ...open, end: offset + line.length }
    offset += line.length
  }
  return open ? [...items, open] : items
}

function dataOf(text: string): YamlEntry | undefined {
  try {
    return asEntry(readYaml(text))
  } catch {
    return undefined
  }
}
