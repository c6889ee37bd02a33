import { fileURLToPath } from 'node:url'

/** A path inside the repository, from its top. */
export function repositoryPath(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url))
}

export const goldenFolder = repositoryPath('test/golden')
