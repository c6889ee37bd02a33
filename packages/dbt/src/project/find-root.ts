import { dirname, resolve } from 'node:path'
import { diskTree } from '../tree/disk-tree.ts'
import { PROJECT_FILE } from './settings.ts'

/** Finds the nearest folder on disk with a `dbt_project.yml`: the given one, or one above it. Undefined when there is none. */
export async function findProjectRoot(from: string): Promise<string | undefined> {
  const folder = resolve(from)
  if ((await diskTree(folder).read(PROJECT_FILE)) !== undefined) return folder
  const above = dirname(folder)
  return above === folder ? undefined : findProjectRoot(above)
}
