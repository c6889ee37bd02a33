import { dirname, join, resolve } from 'node:path'
import type { Project } from '@stagecraft/spec'
import { diskTree, findProjectRoot, readManifest } from '@stagecraft/dbt'
import { indexProject } from '../files/index-project.ts'
import { paint } from '../terminal/paint.ts'

/** Returns the path of a catalog of dbt artifacts; undefined for another catalog. */
function artifactsOf(catalogText: string): string | undefined {
  return /^dbt:(.+)$/.exec(catalogText)?.[1]
}

/** Returns the facts of dbt artifacts about their project; undefined for another catalog. */
export async function projectOfCatalog(catalogText: string): Promise<Project | undefined> {
  const path = artifactsOf(catalogText)
  if (path === undefined) return undefined
  const { readDbtProject } = await import('@stagecraft/catalogs/dbt')
  return readDbtProject(path)
}

/** The number of files to name; the rest is counted. */
const NAMED = 3

/** Warns on standard error if dbt artifacts are older than their project. */
export async function noteStaleArtifacts(catalogText: string): Promise<void> {
  const path = artifactsOf(catalogText)
  if (path === undefined) return
  const folder = resolve(path.endsWith('.json') ? dirname(path) : path)
  const root = await findProjectRoot(dirname(folder))
  if (root === undefined) return
  const index = await indexProject(root)
  if (join(root, index.settings.targetPath) !== folder) return
  const { stale } = (await readManifest(diskTree(root), index)) ?? { stale: [] }
  if (stale.length === 0) return
  const named = stale.slice(0, NAMED).map(({ path, reason }) => `${path} is ${reason}`)
  const rest = stale.length > NAMED ? `, and ${stale.length - NAMED} more` : ''
  process.stderr.write(
    `${paint('cyan', 'note')} the artifacts are older than the project: ${named.join(', ')}${rest}; dbt docs generate renews them\n`,
  )
}
