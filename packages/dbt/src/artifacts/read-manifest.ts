import { createHash } from 'node:crypto'
import type { IndexedModel, ProjectIndex } from '../project/project-index.ts'
import { asList, asRecord, asText } from '../project/shapes.ts'
import type { FileTree } from '../tree/file-tree.ts'
import { decodeText } from '../tree/read-text.ts'

/** The place of a model in the warehouse, which macros decide, so only dbt knows it. */
export interface ManifestModel {
  readonly kind: IndexedModel['kind']
  readonly name: string
  readonly version: string | undefined
  readonly path: string
  readonly database: string | undefined
  readonly schema: string | undefined
  /** The name of the table or view; undefined for an ephemeral model. */
  readonly relation: string | undefined
  /** The ids of its inputs: `source.shop.raw.orders`, `model.shop.stg_orders`. */
  readonly reads: readonly string[]
}

/** dbt's record of its last parse. */
export interface Manifest {
  /** The dbt that wrote it: `1.11.2`. */
  readonly dbtVersion: string | undefined
  /** The time at which it was written, as ISO 8601. */
  readonly generatedAt: string | undefined
  readonly models: readonly ManifestModel[]
  /** The files that changed since, by path; empty if the manifest is current. */
  readonly stale: readonly StaleFile[]
}

export interface StaleFile {
  readonly path: string
  readonly reason: 'changed' | 'new' | 'gone'
}

/**
 * Reads `manifest.json` of a project and compares it with the files: models, seeds and snapshots by their content,
 * sources by their names. Undefined if it is missing, or older than dbt 1.6.
 */
export async function readManifest(tree: FileTree, index: ProjectIndex): Promise<Manifest | undefined> {
  const bytes = await tree.read(`${index.settings.targetPath}/manifest.json`)
  const data = parseManifest(bytes)
  if (!data) return undefined
  const nodes = ownNodes(data, index.settings.name)
  const metadata = asRecord(data['metadata'])
  return {
    dbtVersion: asText(metadata['dbt_version']),
    generatedAt: asText(metadata['generated_at']),
    models: nodes.map(({ model }) => model),
    stale: [...(await staleModels(tree, index, { nodes, data })), ...staleSources(index, data)],
  }
}

type Data = ReturnType<typeof asRecord>

interface OwnNode {
  readonly model: ManifestModel
  /** The checksum of the trimmed file; undefined if dbt used another algorithm. */
  readonly sha256: string | undefined
}

const SCHEMA = /\/dbt\/manifest\/v1[0-2]\.json$/

function parseManifest(bytes: Uint8Array | undefined): Data | undefined {
  const text = bytes && decodeText(bytes)
  if (text === undefined) return undefined
  try {
    const data = asRecord(JSON.parse(text))
    return SCHEMA.test(asText(asRecord(data['metadata'])['dbt_schema_version']) ?? '') ? data : undefined
  } catch {
    return undefined // dbt is writing it, or was stopped while doing so
  }
}

const KINDS = new Map<unknown, IndexedModel['kind']>([
  ['model', 'model'],
  ['seed', 'seed'],
  ['snapshot', 'snapshot'],
])

function ownNodes(data: Data, project: string): readonly OwnNode[] {
  return Object.values(asRecord(data['nodes'])).flatMap((value) => {
    const node = asRecord(value)
    const kind = KINDS.get(node['resource_type'])
    const [name, path] = [asText(node['name']), asText(node['original_file_path'])]
    if (!kind || name === undefined || path === undefined || node['package_name'] !== project) return []
    const checksum = asRecord(node['checksum'])
    const sha256 = checksum['name'] === 'sha256' ? asText(checksum['checksum']) : undefined
    return [{ model: toModel(node, { kind, name, path: path.replaceAll('\\', '/') }), sha256 }]
  })
}

function toModel(node: Data, named: Pick<ManifestModel, 'kind' | 'name' | 'path'>): ManifestModel {
  return {
    ...named,
    version: asText(node['version']),
    database: asText(node['database']),
    schema: asText(node['schema']),
    relation: node['relation_name'] === null ? undefined : (asText(node['alias']) ?? named.name),
    reads: asList(asRecord(node['depends_on'])['nodes']).flatMap((id) => asText(id) ?? []),
  }
}

interface Parsed {
  readonly nodes: readonly OwnNode[]
  readonly data: Data
}

async function staleModels(
  tree: FileTree,
  index: ProjectIndex,
  { data, nodes }: Parsed,
): Promise<readonly StaleFile[]> {
  const versions = Object.values(asRecord(data['disabled'])).flatMap(asList)
  const disabled = new Set(versions.map((node) => asText(asRecord(node)['original_file_path'])))
  const known = new Map(nodes.map(({ model, sha256 }) => [model.path, sha256]))
  const paths = new Set(index.models.map(({ path }) => path))
  const gone = [...known.keys()].filter((path) => !paths.has(path))
  const found: StaleFile[] = gone.map((path) => ({ path, reason: 'gone' }))
  for (const path of paths) {
    const sha256 = known.get(path)
    if (!known.has(path) && !disabled.has(path)) found.push({ path, reason: 'new' })
    if (sha256 !== undefined && sha256 !== (await checksumOf(tree, path)))
      found.push({ path, reason: 'changed' })
  }
  return found
}

/** Computes dbt's checksum: of the text as Python reads it, trimmed. */
async function checksumOf(tree: FileTree, path: string): Promise<string | undefined> {
  const bytes = await tree.read(path)
  const text = bytes && decodeText(bytes)
  if (text === undefined) return undefined
  const stripped = text
    .replaceAll(/\r\n?/g, '\n')
    .replace(/^[^\S\uFEFF]+/, '')
    .replace(/[^\S\uFEFF]+$/, '')
  return createHash('sha256').update(stripped).digest('hex')
}

/** Returns files with source tables that the manifest lacks, and files that lost some. */
function staleSources({ settings, sources }: ProjectIndex, data: Data): readonly StaleFile[] {
  const own = Object.values(asRecord(data['sources']))
    .map(asRecord)
    .filter((node) => node['package_name'] === settings.name)
  const theirs = new Map(
    own.map((node) => [
      keyOf(asText(node['source_name']), asText(node['name'])),
      asText(node['original_file_path']),
    ]),
  )
  const ours = new Map(
    sources.flatMap(({ name, path, tables }) => tables.map((table) => [keyOf(name, table.name), path])),
  )
  const missing = [...ours].filter(([key]) => !theirs.has(key)).map(([, path]) => path)
  const gone = [...theirs].filter(([key]) => !ours.has(key)).flatMap(([, path]) => path ?? [])
  return [...new Set([...missing, ...gone])].map((path) => ({ path, reason: 'changed' }))
}

function keyOf(source: string | undefined, table: string | undefined): string {
  return JSON.stringify([source, table])
}
