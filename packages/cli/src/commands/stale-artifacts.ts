import { dirname, join, resolve } from 'node:path'
import { diskTree, findProjectRoot, readManifest } from '@stagecraft/dbt'
import { indexProject } from '../files/index-project.ts'
import { paint } from '../terminal/paint.ts'

/** Files that are named before the rest is counted. */
const NAMED = 3

/** Says on standard error when a catalog of dbt artifacts is older than the project that they lie in. */
export async function noteStaleArtifacts(catalogText: string): Promise<void> {
  const path = /^dbt:(.+)$/.exec(catalogText)?.[1]
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
