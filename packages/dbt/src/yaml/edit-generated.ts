import { isDeepStrictEqual } from 'node:util'
import { asEntry } from './change.ts'
import { editYaml } from './edit-yaml.ts'
import { readYaml } from './read-yaml.ts'
import type { YamlEdit, YamlEntry, YamlText } from './yaml-edit.ts'

/** The edits of one entry of a list of models, seeds or snapshots. */
export interface EntryEdits {
  /** The present entry. */
  readonly entry: YamlEntry
  readonly edits: readonly YamlEdit[]
}

/**
 * Edits entries of a generated text one by one, because parsing a large file is slow. Entries that cannot be cut out
 * safely are edited in the whole text.
 */
export function editEntries({ path, text }: YamlText, entries: readonly EntryEdits[]): string {
  const asked = entries.filter(({ edits }) => edits.length > 0)
  const blocks = asked.length > 0 ? blocksOf(text) : []
  const cut = asked.flatMap(({ edits, entry }): readonly Cut[] => {
    const [block, ...others] = blocks.filter(({ name }) => name === entry['name'])
    if (!block || others.length > 0) return []
    const head = `${block.list}:\n`
    const piece = text.slice(block.start, block.end)
    if (!isDeepStrictEqual(dataOf(head + piece), { [block.list]: [entry] })) return []
    const edited = editYaml({ path, text: head + piece }, edits)
    const isWhole =
      edited.text.startsWith(head) && edited.outcomes.every(({ status }) => status !== 'refused')
    return isWhole ? [{ block, edits, text: edited.text.slice(head.length) }] : []
  })
  const done = new Set(cut.map(({ edits }) => edits))
  const rest = asked.flatMap(({ edits }) => (done.has(edits) ? [] : edits))
  const replaced = cut
    .toSorted((a, b) => b.block.start - a.block.start)
    .reduce(
      (under, { block, text: piece }) => under.slice(0, block.start) + piece + under.slice(block.end),
      text,
    )
  return rest.length === 0 ? replaced : editYaml({ path, text: replaced }, rest).text
}

interface Cut {
  readonly block: Block
  readonly edits: readonly YamlEdit[]
  readonly text: string
}

/** The lines of one entry, without blank ones behind them. */
interface Block {
  readonly list: string
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Finds likely entries: items of a top-level list that start with their name. */
function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = []
  let [list, indent, offset]: [string, string | undefined, number] = ['', undefined, 0]
  let open: Block | undefined
  for (const line of text.split(/(?<=\n)/)) {
    const [, key] = /^(models|seeds|snapshots):\s*$/.exec(line) ?? []
    const [, spaces = '', name] = /^( *)- name: (\w+)\s*$/.exec(line) ?? []
    const isItem = name !== undefined && list !== '' && spaces === (indent ?? spaces)
    const isTop = /^[^\s#-]/.test(line)
    if (open && (isItem || isTop)) blocks.push(open)
    if (isItem || isTop) open = undefined
    if (isTop) [list, indent] = [key ?? '', undefined]
    if (isItem) {
      indent = spaces
      open = { list, name, start: offset, end: offset + line.length }
    } else if (open && line.trim() !== '') open = { ...open, end: offset + line.length }
    offset += line.length
  }
  return open ? [...blocks, open] : blocks
}

function dataOf(text: string): YamlEntry | undefined {
  try {
    return asEntry(readYaml(text))
  } catch {
    return undefined
  }
}
