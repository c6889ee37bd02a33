import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import { unreadable } from '../files/file-failed.ts'
import { readText } from '../files/read-text.ts'
import { isJson, type Json, toJson, toText } from './json.ts'

/** The used parts of a project's files. Callers read the nodes that they need. */
export interface Artifacts {
  readonly adapter: string | undefined
  readonly projectName: string | undefined
  /** Models, seeds, snapshots, tests and more, by unique id. */
  readonly nodes: Json
  readonly sources: Json
  readonly macros: Json
  /** The description of each table by the warehouse, by unique id; empty before `dbt docs generate`. */
  readonly entries: Json
  /** True if there is a `catalog.json`. */
  readonly hasCatalog: boolean
  /** The version of dbt that wrote them: `1.11.2`. */
  readonly dbtVersion: string | undefined
}

const VERSIONS = [10, 11, 12]

/**
 * Reads `manifest.json`, and `catalog.json` beside it if it exists.
 *
 * @param path The folder of the artifacts, or the manifest itself.
 * @throws {StagecraftError} CONNECTION_FAILED for files that cannot be read; INVALID_REQUEST for files of another
 * kind, and for a manifest of a version other than 10 to 12, which dbt writes since 1.6.
 */
export async function readArtifacts(path: string): Promise<Artifacts> {
  const file = path.endsWith('.json') ? path : join(path, 'manifest.json')
  if (!existsSync(file)) throw unreadable(file, 'no such file; dbt parse and dbt docs generate create it')
  const manifest = await readArtifact(file, 'manifest', VERSIONS)
  const catalogFile = join(dirname(file), 'catalog.json')
  const hasCatalog = existsSync(catalogFile)
  const catalog = hasCatalog ? await readArtifact(catalogFile, 'catalog', [1]) : {}
  const metadata = toJson(manifest['metadata'])
  return {
    adapter: toText(metadata['adapter_type']),
    projectName: toText(metadata['project_name']),
    nodes: toJson(manifest['nodes']),
    sources: toJson(manifest['sources']),
    macros: toJson(manifest['macros']),
    entries: { ...toJson(catalog['nodes']), ...toJson(catalog['sources']) },
    hasCatalog,
    dbtVersion: toText(metadata['dbt_version']),
  }
}

async function readArtifact(file: string, kind: string, versions: readonly number[]): Promise<Json> {
  const artifact = parseJson(await readText(file))
  const schema = isJson(artifact) ? toText(toJson(artifact['metadata'])['dbt_schema_version']) : undefined
  const [, found, version] = /\/dbt\/([\w-]+)\/v(\d+)\.json$/.exec(schema ?? '') ?? []
  if (isJson(artifact) && found === kind && versions.includes(Number(version))) return artifact
  const expected = `a ${kind} of dbt, version ${versions.join(', ')}`
  const received = found === undefined ? 'another file' : `a ${found} of version ${version}`
  throw StagecraftError.invalid({ path: file, expected, received })
}

/** Returns undefined for text that is not JSON. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
