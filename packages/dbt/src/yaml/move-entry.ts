import { isAlias, isNode, isSeq, type Node, visit } from 'yaml'
import { asEntry, type Change, commitChanges } from './change.ts'
import { removeAllFromList } from './edit-columns.ts'
import { placeByName } from './edit-entries.ts'
import { entryAt, findNamed, itemsAt, nameOf, pathOfOwner } from './find-owner.ts'
import { insertWritten, shiftLines, type WrittenItem } from './insert-item.ts'
import { columnOf, dashesOf, documentEnd, lineBreakOf, lineStart, placeAfter, startOf } from './positions.ts'
import { commentsAbove } from './remove-node.ts'
import { attempt, type Ended, Refusal } from './refusal.ts'
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

/** Moves one entry; see `moveEntries`. */
export function moveEntry({ from, list, name, to }: EntryMove): MovedEntry {
  const before = new Map([from, to].map(({ path, text }) => [path, text]))
  const { outcomes, texts } = moveEntries(before, [{ list, name, from: from.path, to: to.path }])
  const [outcome = { status: 'done' }] = outcomes
  return { from: texts.get(from.path), to: texts.get(to.path) ?? '', outcome }
}

/** An entry to move from one file to another, by their paths. */
export interface PathMove {
  readonly list: EntryMove['list']
  readonly name: string
  readonly from: string
  readonly to: string
}

/** Texts of files, by path; undefined or empty for a file that does not exist. */
export type FileTexts = ReadonlyMap<string, string | undefined>

export interface MovedEntries {
  /** The files after the moves; undefined for one in which nothing is left and which should be deleted. */
  readonly texts: FileTexts
  /** One for each move, in order. */
  readonly outcomes: readonly EditOutcome[]
}

/**
 * Moves models, seeds, snapshots or sources to other files with their comments, indented like the entries there. Nothing
 * else changes. The files are parsed once before and once after all moves, and compared with the intended data. If that
 * fails, the moves are done in smaller groups, so only the unsafe ones are refused.
 */
export function moveEntries(texts: FileTexts, moves: readonly PathMove[]): MovedEntries {
  const outcomes = new Map<PathMove, EditOutcome>()
  let now = texts
  for (const group of groupsOf(moves)) now = moveGroup(now, group, outcomes)
  return { texts: now, outcomes: moves.map((move) => outcomes.get(move) ?? { status: 'done' }) }
}

/** Groups moves in order: those of one list, between files of which none both loses and gains entries. */
function groupsOf(moves: readonly PathMove[]): readonly (readonly PathMove[])[] {
  const groups: PathMove[][] = []
  for (const move of moves) {
    const last = groups.at(-1)
    const fits = last?.every(
      ({ from, list, to }) => list === move.list && from !== move.to && to !== move.from,
    )
    if (last && fits === true) last.push(move)
    else groups.push([move])
  }
  return groups
}

/** Moves a group at once, else its halves. Records the refusals. */
function moveGroup(
  texts: FileTexts,
  moves: readonly PathMove[],
  outcomes: Map<PathMove, EditOutcome>,
): FileTexts {
  const done = moveTogether(texts, moves, outcomes)
  if (!('status' in done)) return new Map([...texts, ...done])
  const [first, ...others] = moves
  if (first && others.length === 0) outcomes.set(first, done)
  if (others.length === 0) return texts
  const half = Math.ceil(moves.length / 2)
  return moveGroup(moveGroup(texts, moves.slice(0, half), outcomes), moves.slice(half), outcomes)
}

/** Returns the changed files, without the moves that are refused in advance. */
function moveTogether(
  texts: FileTexts,
  moves: readonly PathMove[],
  outcomes: Map<PathMove, EditOutcome>,
): FileTexts | Ended {
  const files = new ParsedFiles(texts)
  const targets = new Map<string, ReadEntry[]>()
  const sources = new Map<string, ReadEntry[]>()
  for (const move of moves) {
    const taken = targets.get(move.to) ?? []
    const entry = readMove(files, move, taken)
    if ('status' in entry) {
      outcomes.set(move, entry)
      continue
    }
    targets.set(move.to, [...taken, entry])
    sources.set(move.from, [...(sources.get(move.from) ?? []), entry])
  }
  const changed = new Map<string, string | undefined>()
  for (const [path, entries] of targets) {
    const file = files.at(path)
    const added = 'status' in file ? file : attempt(file, () => addWritten(file, entries))
    if ('status' in added) return added
    changed.set(path, added.text)
  }
  for (const [path, entries] of sources) {
    const file = files.at(path)
    const rest = 'status' in file ? file : attempt(file, () => withoutEntries(file, entries))
    if ('status' in rest) return rest
    changed.set(path, textLeft(rest))
  }
  return changed
}

/** Parses each file once. */
class ParsedFiles {
  readonly #texts: FileTexts
  readonly #files = new Map<string, YamlFile | Ended>()

  constructor(texts: FileTexts) {
    this.#texts = texts
  }

  at(path: string): YamlFile | Ended {
    const text: YamlText = { path, text: this.#texts.get(path) ?? '' }
    const file = this.#files.get(path) ?? attempt(text, () => parseYaml(text))
    this.#files.set(path, file)
    return file
  }
}

/** Reads an entry to move, if the other file has a place for it. */
function readMove(
  files: ParsedFiles,
  { from, list, name, to }: PathMove,
  taken: readonly ReadEntry[],
): ReadEntry | Ended {
  const [source, target] = [files.at(from), files.at(to)]
  if ('status' in source) return source
  const entry = attempt(source, () => readEntry(source, pathOfOwner(source, { list, name }), list))
  if ('status' in entry || 'status' in target) return 'status' in target ? target : entry
  const refused = attempt(target, () => {
    if (findNamed(target.data, [list], name).length > 0 || taken.some((one) => one.name === name))
      throw new Refusal(`the ${list.slice(0, -1)} ${name} already exists`, 0)
    return {}
  })
  return 'status' in refused ? refused : entry
}

function withoutEntries(file: YamlFile, entries: readonly ReadEntry[]): YamlFile {
  const places = entries.map(({ path }) => path)
  return commitChanges(file, removeAllFromList(file, places, { withComments: true }))
}

interface ReadEntry extends WrittenItem {
  readonly list: EntryMove['list']
  readonly name: string
  readonly file: YamlFile
  readonly path: YamlPath
}

function readEntry(file: YamlFile, path: YamlPath, list: EntryMove['list']): ReadEntry {
  const seq = nodeAt(file, path.slice(0, -1))
  const index = path.at(-1)
  const item = isSeq(seq) && typeof index === 'number' ? seq.items[index] : undefined
  if (!isSeq(seq) || typeof index !== 'number' || !isNode(item)) throw new Refusal('it is not in a list', 0)
  refuseForeignAliases(item)
  const { text } = file
  const dash = dashesOf(seq)[index] ?? 0
  const { isLineStart, offset } = placeAfter(text, item)
  const written = text.slice(lineStart(text, commentsAbove(text, dash)), isLineStart ? offset - 1 : offset)
  const value = entryAt(file.data, path)
  return {
    list,
    name: nameOf(value) ?? '',
    file,
    path,
    index,
    value,
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

/** Adds entries of one list. */
function addWritten(file: YamlFile, entries: readonly ReadEntry[]): YamlFile {
  const [{ list } = { list: 'models' as const }] = entries
  const items = itemsAt(file.data, [list])
  if (items.length === 0) return commitChanges(file, [startList(file, list, byName(entries))])
  const placed = entries.map((entry) => ({ ...entry, index: placeByName(items, entry.name) }))
  const areSorted = placeByName(items, '') === 0
  const ordered = areSorted ? byName(placed) : placed
  return commitChanges(
    file,
    ordered.map((entry) => insertWritten(file, [list], entry)),
  )
}

function byName<Entry extends ReadEntry>(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Starts the list at the end of the file, which may be empty. */
function startList(file: YamlFile, list: EntryMove['list'], entries: readonly ReadEntry[]): Change {
  const { text } = file
  const [source] = entries.map((entry) => entry.file)
  const present = asEntry(file.data)
  if (present[list] !== undefined) throw new Refusal(`its ${list} are empty; remove the key`, 0)
  const lineBreak = lineBreakOf(text === '' ? (source?.text ?? '') : text)
  const version = asEntry(source?.data)['version']
  const heads = text === '' && version !== undefined ? { version } : {}
  const end = documentEnd(text)
  const isNewLine = end === 0 || text[end - 1] === '\n'
  const written = entries.map(({ column, lines }) => shiftLines(lines, Math.max(0, 2 - column)))
  const added = [
    ...(isNewLine ? [] : ['']),
    ...Object.entries(heads).map(([key, head]) => `${key}: ${JSON.stringify(head)}`),
    ...(text === '' && version === undefined ? [] : ['']),
    `${list}:`,
    ...written.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])),
    '',
  ]
  return {
    splices: [{ start: end, end, text: added.join(lineBreak) }],
    meaning: {
      kind: 'set',
      path: [],
      value: { ...present, ...heads, [list]: entries.map(({ value }) => value) },
    },
  }
}

/** Returns true for a file with only its version and no comments, which can be deleted. */
function textLeft({ data, text }: YamlFile): string | undefined {
  const isEmpty = Object.keys(asEntry(data)).every((key) => key === 'version')
  return isEmpty && !text.includes('#') ? undefined : text
}
