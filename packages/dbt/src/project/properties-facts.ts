import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type { JinjaValue } from '../jinja/jinja-value.ts'
import { yamlFault } from '../yaml/yaml-fault.ts'
import { type EntryReads, readReferences, REFERENCE } from './properties-reads.ts'
import { asList, asRecord, asText } from './shapes.ts'

/** A column as properties describe it. */
export interface ColumnFacts {
  readonly name: string
  /** 1-based. */
  readonly line: number
  readonly description?: string
  readonly dataType?: string
  /** As written. @default none */
  readonly tests?: readonly JinjaValue[]
}

/** An entry of one of the lists of a file of properties. */
export interface EntryFacts {
  readonly name: string
  /** 1-based: the line of its name. */
  readonly line: number
  readonly description?: string
  /** As written. @default none */
  readonly tests?: readonly JinjaValue[]
  readonly columns: readonly ColumnFacts[]
  /** `config:` as written. */
  readonly config?: Readonly<Record<string, JinjaValue>>
}

/** A table of a source. */
interface TableFacts extends EntryFacts {
  /** The name in the warehouse, as written. @default the name */
  readonly identifier?: string
}

interface SnapshotFacts extends EntryFacts {
  /** The relation of a snapshot that YAML alone defines, as written: `source('shop', 'orders')`. */
  readonly relation?: string
}

export interface SourceFacts extends EntryFacts {
  /** As written, with Jinja. */
  readonly database?: string
  readonly schema?: string
  readonly loader?: string
  readonly tables: readonly TableFacts[]
}

export interface ModelFacts extends EntryFacts {
  /** Versions by their `v`, each with its file: `orders_old`. @default none */
  readonly versions?: readonly { readonly version: string; readonly definedIn?: string }[]
  readonly latestVersion?: string
}

/** The facts of a file of properties. */
export interface PropertiesFacts {
  readonly models: readonly ModelFacts[]
  readonly seeds: readonly EntryFacts[]
  readonly snapshots: readonly SnapshotFacts[]
  readonly sources: readonly SourceFacts[]
  /** Entries that refer to models and sources: tests of references, exposures, unit tests. @default none */
  readonly reads?: readonly EntryReads[]
  /** The reason why the file cannot be read. */
  readonly fault?: { readonly line: number; readonly reason: string }
}

const NOTHING: PropertiesFacts = { models: [], seeds: [], snapshots: [], sources: [] }

/**
 * Reads a properties file. Invalid YAML gives no facts, but the reason.
 *
 * @param onDocument Receives the parsed file.
 */
export function readProperties(text: string, onDocument?: (document: Document) => void): PropertiesFacts {
  try {
    return readLists(text, onDocument)
  } catch (error) {
    return { ...NOTHING, fault: { line: 1, reason: yamlFault(error) } }
  }
}

function readLists(text: string, onDocument?: (document: Document) => void): PropertiesFacts {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    merge: true,
    uniqueKeys: false,
    logLevel: 'silent',
    prettyErrors: false,
    lineCounter: lines,
  })
  onDocument?.(document)
  const lineOf = (node: Node): number => lines.linePos(node.range?.[0] ?? 0).line
  const [error] = document.errors
  if (error)
    return { ...NOTHING, fault: { line: lines.linePos(error.pos[0]).line, reason: yamlFault(error) } }
  const root = document.contents
  if (!isMap(root)) return NOTHING
  const data = asRecord(document.toJS())
  const entries = (key: string): readonly Read[] =>
    readList({ node: root, data, line: 1 }, key, { document, lineOf })
  const reads = REFERENCE.test(text) ? readReferences(root, text, lines) : []
  return {
    models: entries('models').map(toModel),
    seeds: entries('seeds').map(toEntry),
    snapshots: entries('snapshots').map(toSnapshot),
    sources: entries('sources').map(toSource),
    ...(reads.length > 0 && { reads }),
  }
}

interface Reading {
  readonly document: ReturnType<typeof parseDocument>
  readonly lineOf: (node: Node) => number
}

/** An entry with its data and the places of its parts. */
interface Read {
  readonly name: string
  readonly line: number
  readonly data: Readonly<Record<string, JinjaValue>>
  /** Returns the named entries of a list inside it. */
  readonly list: (key: string) => readonly Read[]
}

/** A map as written, and as data. */
interface WrittenMap {
  readonly node: unknown
  readonly data: Readonly<Record<string, JinjaValue>>
  readonly line: number
}

function readList(map: WrittenMap, key: string, reading: Reading): readonly Read[] {
  const node = isMap(map.node) ? resolve(map.node.get(key, true), reading) : undefined
  return asList(map.data[key]).flatMap((item, index) => {
    const data = asRecord(item)
    const name = asText(data['name'])
    if (name === undefined) return []
    const entry = isSeq(node) ? resolve(node.items[index], reading) : undefined
    const line = lineOfName(entry, reading) ?? map.line // Keys from `<<` have no place of their own.
    return [
      { name, line, data, list: (inner: string) => readList({ node: entry, data, line }, inner, reading) },
    ]
  })
}

function lineOfName(entry: unknown, { lineOf }: Reading): number | undefined {
  if (!isMap(entry)) return undefined
  const key = entry.items.find((pair) => isScalar(pair.key) && pair.key.value === 'name')?.key
  return lineOf(isNode(key) ? key : entry)
}

/** Returns the target of an alias; the node itself for anything else. */
function resolve(node: unknown, { document }: Reading): unknown {
  return isNode(node) && 'resolve' in node ? node.resolve(document) : node
}

function toEntry({ data, line, list, name }: Read): EntryFacts {
  const config = asRecord(data['config'])
  return {
    name,
    line,
    ...described(data),
    columns: list('columns').map(toColumn),
    ...(Object.keys(config).length > 0 && { config }),
  }
}

function described(data: Readonly<Record<string, JinjaValue>>): Pick<EntryFacts, 'description' | 'tests'> {
  const description = asText(data['description'])
  const tests = asList(data['data_tests'] ?? data['tests'])
  return { ...(description !== undefined && { description }), ...(tests.length > 0 && { tests }) }
}

function toColumn({ data, line, name }: Read): ColumnFacts {
  const dataType = asText(data['data_type'])
  return { name, line, ...described(data), ...(dataType !== undefined && { dataType }) }
}

function toModel(read: Read): ModelFacts {
  const latest = asText(read.data['latest_version'])
  const versions = asList(read.data['versions'])
    .map(asRecord)
    .flatMap((entry) => {
      const [version, definedIn] = [asText(entry['v']), asText(entry['defined_in'])]
      return version === undefined ? [] : [{ version, ...(definedIn !== undefined && { definedIn }) }]
    })
  return {
    ...toEntry(read),
    ...(versions.length > 0 && { versions }),
    ...(latest !== undefined && { latestVersion: latest }),
  }
}

function toSnapshot(read: Read): SnapshotFacts {
  const relation = asText(read.data['relation'])
  return { ...toEntry(read), ...(relation !== undefined && { relation }) }
}

function toSource(read: Read): SourceFacts {
  const { data } = read
  const [database, schema, loader] = [
    asText(data['database'] ?? data['catalog']),
    asText(data['schema'] ?? data['dataset']),
    asText(data['loader']),
  ]
  return {
    ...toEntry(read),
    ...(database !== undefined && { database }),
    ...(schema !== undefined && { schema }),
    ...(loader !== undefined && { loader }),
    tables: read.list('tables').map((table) => {
      const identifier = asText(table.data['identifier'])
      return { ...toEntry(table), ...(identifier !== undefined && { identifier }) }
    }),
  }
}
