import { type Dialect, DIALECTS, readRelationPart } from '@stagecraft/dialects'
import type { TableKind } from '@stagecraft/spec'
import { dialectOfAdapter } from './adapters.ts'
import type { Artifacts } from './artifacts.ts'
import { type Json, toJson, toList, toText } from './json.ts'

/** A table of the warehouse, as described by a project. */
export interface Relation {
  readonly id: string
  readonly database: string | undefined
  readonly schema: string | undefined
  /** The stored name: `identifier` of a source, `alias` of a model. */
  readonly name: string
  readonly kind: TableKind
  readonly description: string | undefined
  /** The columns that YAML lists. */
  readonly columns: readonly Json[]
  readonly constraints: readonly Json[]
  /** The description by the warehouse. */
  readonly entry: Json
  /** The name in the project: `ref` of a model, `source` of a source. */
  readonly ref: string | undefined
  readonly source: { readonly name: string; readonly table: string } | undefined
  /** The name in SQL, by which foreign keys of contracts point to it. */
  readonly relationName: string | undefined
}

const BUILT: ReadonlySet<unknown> = new Set(['model', 'seed', 'snapshot'])

/**
 * Lists the sources, models, seeds and snapshots of a project that are tables. Only the latest version of a
 * versioned model counts, because `ref('name')` reads it.
 */
export function listRelations({ adapter, entries, nodes, sources }: Artifacts): readonly Relation[] {
  const name = dialectOfAdapter(adapter)
  const dialect = name && DIALECTS[name]
  const found = Object.entries(sources).map(([id, node]) =>
    fromSource({ id, node: toJson(node), entry: toJson(entries[id]), dialect }),
  )
  const built = Object.entries(nodes)
    .map(([id, node]) => ({ id, node: toJson(node) }))
    .filter(({ node }) => BUILT.has(node['resource_type']) && isTable(node) && isLatest(node))
  return [
    ...found,
    ...built.map(({ id, node }) => fromNode({ id, node, entry: toJson(entries[id]), dialect })),
  ]
}

function isTable(node: Json): boolean {
  return toJson(node['config'])['materialized'] !== 'ephemeral' && node['relation_name'] !== null
}

function isLatest(node: Json): boolean {
  const latest = node['latest_version'] ?? undefined
  return latest === undefined || node['version'] === latest
}

/** A source or a built node in the artifacts. */
interface Described {
  readonly id: string
  readonly node: Json
  readonly entry: Json
  readonly dialect: Dialect | undefined
}

function fromSource({ dialect, entry, id, node }: Described): Relation {
  const table = toText(node['name']) ?? ''
  return {
    ...common({ dialect, entry, id, node }),
    name: readRelationPart(toText(node['identifier']) ?? table, dialect),
    kind: node['external'] ? 'external' : kindOf(toJson(entry['metadata'])['type']),
    ref: undefined,
    source: { name: toText(node['source_name']) ?? '', table },
  }
}

function fromNode({ dialect, entry, id, node }: Described): Relation {
  const ref = toText(node['name']) ?? ''
  return {
    ...common({ dialect, entry, id, node }),
    name: readRelationPart(toText(node['alias']) ?? ref, dialect),
    kind: kindOf(toJson(entry['metadata'])['type'] ?? toJson(node['config'])['materialized']),
    ref,
    source: undefined,
  }
}

function common({ dialect, entry, id, node }: Described): Omit<Relation, 'name' | 'kind' | 'ref' | 'source'> {
  const stored = (part: string): string | undefined => {
    const written = toText(node[part])
    return written === undefined ? undefined : readRelationPart(written, dialect)
  }
  return {
    id,
    database: stored('database'),
    schema: stored('schema'),
    description: toText(node['description']) ?? toText(toJson(entry['metadata'])['comment']),
    columns: Object.values(toJson(node['columns'])).map(toJson),
    constraints: toList(node['constraints']),
    entry,
    relationName: toText(node['relation_name']),
  }
}

/** Returns the kind of a table from its type in the warehouse, otherwise from its materialization. */
function kindOf(type: unknown): TableKind {
  const text = toText(type) ?? ''
  if (/view/i.test(text)) return 'view'
  return /external|foreign/i.test(text) ? 'external' : 'table'
}
