import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml'
import type { Place, SourceFile } from './source-file.ts'

/** A file of properties with all places. Invalid YAML has no entries. */
export interface PropertiesFile {
  readonly file: SourceFile
  /** The named entries of a top-level list. */
  readonly entries: (list: string) => readonly Entry[]
  /** Every text that may contain Jinja, with its key. */
  readonly texts: () => readonly PlacedText[]
}

/** A named entry: a model, a source, a table, a column, a version of a model. */
export interface Entry {
  readonly name: string
  /** The place of its name. */
  readonly place: Place
  /** Returns the value of a key as data; undefined if it is missing. */
  readonly get: (key: string) => unknown
  /** Returns a key written in the entry itself, not merged into it. */
  readonly pair: (key: string) => PlacedPair | undefined
  /** Returns the named entries of a list inside it. */
  readonly entries: (list: string) => readonly Entry[]
}

/** A key and its value, with their places. */
interface PlacedPair {
  readonly key: Place
  readonly value: Node | undefined
}

interface PlacedText {
  /** The key that it belongs to, also for an item of a list. */
  readonly key: string
  readonly text: string
  readonly place: Place
}

/** @param document The parsed file, if something else parsed it already. */
export function propertiesFile(
  file: SourceFile,
  document: Document = parseDocument(file.text, { merge: true, uniqueKeys: false, logLevel: 'silent' }),
): PropertiesFile {
  const root = document.errors.length === 0 ? document.contents : undefined
  return {
    file,
    entries: (list) => (isMap(root) ? entriesOf(root, list, { document, file }) : []),
    texts: () => (isNode(root) && file.text.includes('(') ? textsOf(root, file) : []),
  }
}

interface Reading {
  readonly document: Document
  readonly file: SourceFile
}

function entriesOf(map: YAMLMap, list: string, reading: Reading): readonly Entry[] {
  const seq = valueOf(map, list, reading)
  if (!isSeq(seq)) return []
  return seq.items.flatMap((item) => {
    const entry = resolve(item, reading)
    return isMap(entry) ? (toEntry(entry, NAMES[list] ?? 'name', reading) ?? []) : []
  })
}

/** The key that names an entry, where it is not `name`. */
const NAMES: Readonly<Record<string, string>> = { versions: 'v' }

function toEntry(map: YAMLMap, key: string, reading: Reading): Entry | undefined {
  const name = valueOf(map, key, reading)
  if (!isScalar(name) || (typeof name.value !== 'string' && typeof name.value !== 'number')) return undefined
  return {
    name: String(name.value),
    place: placeOf(name, reading.file),
    get: (key) => {
      const value = valueOf(map, key, reading)
      return isNode(value) ? value.toJS(reading.document) : undefined
    },
    pair: (key) => pairOf(map, key, reading),
    entries: (list) => entriesOf(map, list, reading),
  }
}

function pairOf(map: YAMLMap, key: string, { file }: Reading): PlacedPair | undefined {
  const pair = map.items.find((item) => keyOf(item) === key)
  if (!pair || !isNode(pair.key)) return undefined
  return { key: placeOf(pair.key, file), value: isNode(pair.value) ? pair.value : undefined }
}

/** Returns the key of a pair as text; undefined for one that is not a scalar. */
function keyOf({ key }: Pair): string | undefined {
  return isScalar(key) ? String(key.value) : undefined
}

/** Returns the value of a key: its own, else that of the first merged map that has it. */
function valueOf(map: YAMLMap, key: string, reading: Reading, depth = 0): unknown {
  if (map.has(key)) return resolve(map.get(key, true), reading)
  if (depth > DEEPEST_MERGE) return undefined
  return mergedInto(map, reading)
    .map((merged) => valueOf(merged, key, reading, depth + 1))
    .find((value) => value !== undefined)
}

/** Limits the depth, because maps may merge themselves. */
const DEEPEST_MERGE = 20

/** Returns the maps below `<<`, in order of precedence. */
function mergedInto(map: YAMLMap, reading: Reading): readonly YAMLMap[] {
  return map.items
    .filter((pair) => isMergeKey(pair))
    .flatMap(({ value }) => {
      const merged = resolve(value, reading)
      const all: readonly unknown[] = isSeq(merged) ? merged.items : [merged]
      return all.map((one) => resolve(one, reading)).filter((one) => isMap(one))
    })
}

function isMergeKey({ key }: Pair): boolean {
  const value: unknown = isScalar(key) ? key.value : undefined
  return value === '<<' || (typeof value === 'symbol' && value.description === '<<')
}

/** Returns the node that an alias stands for; the node itself for anything else. */
function resolve(node: unknown, { document }: Reading): unknown {
  return isNode(node) && 'resolve' in node ? node.resolve(document) : node
}

function placeOf({ range }: Node, { path }: SourceFile): Place {
  return { path, start: range?.[0] ?? 0, end: range?.[1] ?? 0 }
}

function textsOf(root: Node, file: SourceFile): readonly PlacedText[] {
  const found: PlacedText[] = []
  visit(root, {
    Scalar(role, node, path) {
      if (role === 'key' || typeof node.value !== 'string' || !node.value.includes('(')) return
      const pair = path.findLast((above) => !isMap(above) && !isSeq(above) && 'key' in above) as
        | Pair
        | undefined
      found.push({ key: (pair && keyOf(pair)) ?? '', text: node.value, place: placeOf(node, file) })
    },
  })
  return found
}
