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

/** A file of properties, with the places of everything in it. One that is not valid YAML has no entries. */
export interface PropertiesFile {
  readonly file: SourceFile
  /** The entries of a list at its top that have a name. */
  readonly entries: (list: string) => readonly Entry[]
  /** Every text in it that may hold Jinja, and the key that it stands under. */
  readonly texts: () => readonly PlacedText[]
}

/** A named entry: a model, a source, a table, a column. */
export interface Entry {
  readonly name: string
  /** The place of its name. */
  readonly place: Place
  /** The value of one of its keys as data; undefined when there is none. */
  readonly get: (key: string) => unknown
  /** A key that stands in it, and is not merged into it. */
  readonly pair: (key: string) => PlacedPair | undefined
  /** The named entries of a list inside it. */
  readonly entries: (list: string) => readonly Entry[]
}

/** A key with its value, where they stand. */
interface PlacedPair {
  readonly key: Place
  readonly value: Node | undefined
}

interface PlacedText {
  /** The key that it stands under, also as an item of a list. */
  readonly key: string
  readonly text: string
  readonly place: Place
}

export function propertiesFile(file: SourceFile): PropertiesFile {
  const document = parseDocument(file.text, { merge: true, uniqueKeys: false, logLevel: 'silent' })
  const root = document.errors.length === 0 ? document.contents : undefined
  return {
    file,
    entries: (list) => (isMap(root) ? entriesOf(root, list, { document, file }) : []),
    texts: () => (isNode(root) ? textsOf(root, file) : []),
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
    return isMap(entry) ? (toEntry(entry, reading) ?? []) : []
  })
}

function toEntry(map: YAMLMap, reading: Reading): Entry | undefined {
  const name = valueOf(map, 'name', reading)
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

/** The key of a pair as text; undefined for one that is not a scalar. */
function keyOf({ key }: Pair): string | undefined {
  return isScalar(key) ? String(key.value) : undefined
}

/** The value of a key: its own, else that of the maps that are merged into it, of which the first one counts. */
function valueOf(map: YAMLMap, key: string, reading: Reading, depth = 0): unknown {
  if (map.has(key)) return resolve(map.get(key, true), reading)
  if (depth > DEEPEST_MERGE) return undefined
  return mergedInto(map, reading)
    .map((merged) => valueOf(merged, key, reading, depth + 1))
    .find((value) => value !== undefined)
}

/** Maps that merge themselves have no end. */
const DEEPEST_MERGE = 20

/** The maps below `<<`, first the ones that win. */
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
