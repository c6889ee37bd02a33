import { applyEdits, type TextEdit } from './edit-list.ts'
import { settle } from './line-merge.ts'
import { lineEnd, lineStart } from './list-style.ts'
import type { SelectItem } from './select-list.ts'

/** A person's item in conflict, and the two texts that stand against it. */
export interface MarkedItem {
  readonly found: SelectItem
  readonly base: string
  /** Undefined if the column is gone. */
  readonly wanted: string | undefined
}

/** Puts the lines of items between markers. Items that share lines share the markers, so markers never nest. */
export function markItems(text: string, items: readonly MarkedItem[]): string {
  return applyEdits(
    text,
    blocksOf(text, items).map((block) => ({
      start: block.start,
      end: block.end,
      text: markBlock(text, block),
    })),
  )
}

/** Whole lines, and the items on them. */
interface Block {
  readonly start: number
  readonly end: number
  readonly items: readonly MarkedItem[]
}

function blocksOf(text: string, items: readonly MarkedItem[]): readonly Block[] {
  const blocks: Block[] = []
  for (const item of items.toSorted((a, b) => a.found.start - b.found.start)) {
    const [start, end] = [lineStart(text, item.found.start), lineEnd(text, item.found.end)]
    const last = blocks.at(-1)
    if (last && start < last.end)
      blocks[blocks.length - 1] = { ...last, end: Math.max(last.end, end), items: [...last.items, item] }
    else blocks.push({ start, end, items: [item] })
  }
  return blocks
}

function markBlock(text: string, { end, items, start }: Block): string {
  const own = text.slice(start, end)
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const around = (edits: readonly TextEdit[]): readonly string[] => {
    const lines = applyEdits(
      own,
      edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
    )
    return /^\s*,?\s*(?:--.*)?$/.test(lines) ? [] : [lines.replaceAll(/\r?\n/g, newline)]
  }
  const replaced = ({ found }: MarkedItem, other: string): TextEdit => ({
    start: found.start,
    end: found.end,
    text: other,
  })
  const removed = ({ found: { comma, end: last, start: first } }: MarkedItem): TextEdit => ({
    start: first,
    end: comma !== undefined && comma < end ? comma + 1 : last,
    text: '',
  })
  const block = settle(
    {
      present: [own],
      base: around(items.map((item) => replaced(item, item.base))),
      wanted: around(
        items.map((item) => (item.wanted === undefined ? removed(item) : replaced(item, item.wanted))),
      ),
    },
    'markers',
  )
  return block.join(newline)
}
