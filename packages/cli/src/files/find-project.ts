import { join, resolve } from 'node:path'
import {
  diskTree,
  findProjectRoot,
  LOCK_FILE,
  parseLock,
  type ProjectIndex,
  readText,
  toProject,
} from '@stagecraft/dbt'
import { type Project, StagecraftError } from '@stagecraft/spec'
import { indexProject } from './index-project.ts'
import { readLedger } from './ledger.ts'
import { readDbtVersion } from './read-dbt-version.ts'

/**
 * Reads the facts that generated code must agree with from the surrounding dbt project: the nearest folder with a
 * `dbt_project.yml`. Undefined if there is none.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a project that cannot be read.
 */
export async function findProject(from: string): Promise<Project | undefined> {
  const root = await findProjectRoot(from)
  if (root === undefined) return undefined
  const index = await indexProject(root)
  assertReadable(index)
  return toProject(index, {
    installedDbtVersion: await readDbtVersion(join(root, index.settings.targetPath, 'manifest.json')),
    isOwn: await ownFiles(root, from),
  })
}

/** dbt cannot read such a project either, and ignoring it would hide its content. */
function assertReadable({ faults }: ProjectIndex): void {
  if (faults.length === 0) return
  throw StagecraftError.invalid(
    faults.map(({ line, path, reason }) => ({ path, line, expected: 'valid YAML', received: reason })),
    { subject: 'the dbt project' },
  )
}

/** Returns true for a file that Stagecraft wrote. A moved file is recognized by its content. */
export async function ownFiles(root: string, from: string): Promise<(path: string, hash: string) => boolean> {
  const folders = [...new Set([root, resolve(from)])]
  const ledgers = await Promise.all(
    folders.map(async (folder) => ({ folder, files: await readLedger(folder) })),
  )
  const lock = await readText(diskTree(root), LOCK_FILE)
  const locked = lock === undefined ? [] : [...parseLock(lock).values()]
  const paths = new Set([
    ...ledgers.flatMap(({ files, folder }) => Object.keys(files).map((path) => join(folder, path))),
    ...locked.flatMap(({ model, properties }) =>
      [model, ...(properties ? [properties] : [])].map(({ path }) => join(root, path)),
    ),
  ])
  const hashes = new Set(
    ledgers.flatMap(({ files }) => Object.values(files).flatMap((entry) => entry.hashes)),
  )
  return (path, hash) => paths.has(join(root, path)) || hashes.has(hash)
}
