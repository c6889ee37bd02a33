import { isAlias, isNode, isSeq, type Node, visit } from 'yaml'
import { asEntry, type Change, commitChange } from './change.ts'
import { removeFromList } from './edit-columns.ts'
import { placeByName } from './edit-entries.ts'
import { entryAt, findNamed, itemsAt, nameOf, pathOfOwner } from './find-owner.ts'
import { insertWritten, shiftLines, type WrittenItem } from './insert-item.ts'
import { columnOf, dashesOf, documentEnd, lineBreakOf, lineStart, placeBehind, startOf } from './positions.ts'
import { commentsAbove } from './remove-node.ts'
import { attempt, Refusal } from './refusal.ts'
import type { EditOutcome, OwnerList, YamlText } from './yaml-edit.ts'
import { nodeAt, parseYaml, type YamlFile, type YamlPath } from './yaml-file.ts'

export interface EntryMove {
  readonly list: OwnerList | 'sources'
  readonly name: string
  readonly from: YamlText
  /** The text is empty for a new file. */
  readonly to: YamlText
}

export interface MovedEntry {
  /** The old file without the entry; undefined if nothing is left and it should be deleted. */
  readonly from: string | undefined
  readonly to: string
  readonly outcome: EditOutcome
}

/**
 * Moves a model, seed, snapshot or source to another file with its comments, indented like the entries there. Nothing
 * else changes; both files are parsed again and compared with the intended data.
 */
export function moveEntry({ from, list, name, to }: EntryMove): MovedEntry {
  const unmoved = (outcome: EditOutcome): MovedEntry => ({ from: from.text, to: to.text, outcome })
  const source = attempt(from, () => {
    const file = parseYaml(from)
    return readEntry(file, pathOfOwner(file, { list, name }))
  })
  if ('status' in source) return unmoved(source)
  const target = attempt(to, () => addWritten(parseYaml(to), list, source))
  if ('status' in target) return unmoved(target)
  const rest = attempt(from, () =>
    commitChange(source.file, removeFromList(source.file, source.path, { withComments: true })),
  )
  if ('status' in rest) return unmoved(rest)
  return { from: textLeft(rest), to: target.text, outcome: { status: 'done' } }
}

interface ReadEntry extends WrittenItem {
  readonly file: YamlFile
  readonly path: YamlPath
}

function readEntry(file: YamlFile, path: YamlPath): ReadEntry {
  const seq = nodeAt(file, path.slice(0, -1))
  const index = path.at(-1)
  const item = isSeq(seq) && typeof index === 'number' ? seq.items[index] : undefined
  if (!isSeq(seq) || typeof index !== 'number' || !isNode(item)) throw new Refusal('it is not in a list', 0)
  refuseForeignAliases(item)
  const { text } = file
  const dash = dashesOf(seq)[index] ?? 0
  const { isLineStart, offset } = placeBehind(text, item)
  const written = text.slice(lineStart(text, commentsAbove(text, dash)), isLineStart ? offset - 1 : offset)
  return {
    file,
    path,
    index,
    value: entryAt(file.data, path),
    lines: written.split(/\r?\n/),
    column: columnOf(text, dash),
  }
}

/** @throws {Refusal} If the entry has an alias that only the old file can resolve. */
function refuseForeignAliases(entry: Node): void {
  const anchors = new Set<string>()
  visit(entry, {
    Node(_, node) {
      if (isAlias(node) && !anchors.has(node.source))
        throw new Refusal(
          `it uses the anchor &${node.source} of its file; write it out before moving it`,
          startOf(node),
        )
      if (!isAlias(node) && node.anchor !== undefined) anchors.add(node.anchor)
    },
  })
}

function addWritten(file: YamlFile, list: EntryMove['list'], item: ReadEntry): YamlFile {
  const name = nameOf(item.value) ?? ''
  if (findNamed(file.data, [list], name).length > 0)
    throw new Refusal(`the ${list.slice(0, -1)} ${name} already exists`, 0)
  const items = itemsAt(file.data, [list])
  if (items.length === 0) return commitChange(file, startList(file, list, item))
  return commitChange(file, insertWritten(file, [list], { ...item, index: placeByName(items, name) }))
}

/** Starts the list at the end of the file, which may be empty. */
function startList(
  file: YamlFile,
  list: EntryMove['list'],
  { column, file: source, lines, value }: ReadEntry,
): Change {
  const { text } = file
  const present = asEntry(file.data)
  if (present[list] !== undefined) throw new Refusal(`its ${list} are empty; remove the key`, 0)
  const lineBreak = lineBreakOf(text === '' ? source.text : text)
  const version = asEntry(source.data)['version']
  const heads = text === '' && version !== undefined ? { version } : {}
  const end = documentEnd(text)
  const isNewLine = end === 0 || text[end - 1] === '\n'
  const added = [
    ...(isNewLine ? [] : ['']),
    ...Object.entries(heads).map(([key, head]) => `${key}: ${JSON.stringify(head)}`),
    ...(text === '' && version === undefined ? [] : ['']),
    `${list}:`,
    ...shiftLines(lines, Math.max(0, 2 - column)),
    '',
  ]
  return {
    splices: [{ start: end, end, text: added.join(lineBreak) }],
    meaning: { kind: 'set', path: [], value: { ...present, ...heads, [list]: [value] } },
  }
}

/** Returns true for a file with only its version and no comments, which can be deleted. */
function textLeft({ data, text }: YamlFile): string | undefined {
  const isEmpty = Object.keys(asEntry(data)).every((key) => key === 'version')
  return isEmpty && !text.includes('#') ? undefined : text
}
