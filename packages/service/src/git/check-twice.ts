import { StagecraftError } from '@stagecraft/spec'
import { type DbtFolders, isInFolders } from './dbt-definitions.ts'
import type { ReadFile } from './project-files.ts'

const SHOWN = 5

export interface TwiceOptions {
  /** What this push defines that the branch did not have in the same file, by path. */
  readonly added: ReadonlyMap<string, ReadonlySet<string>>
  /** All that the branch has afterwards. */
  readonly stays: readonly ReadFile[]
  readonly rootOf: (path: string) => string
  /** By the folder of the project. */
  readonly folders: ReadonlyMap<string, DbtFolders>
}

/**
 * Refuses a commit that would define what other files of the dbt project define: dbt reads no project with two models of
 * a name, or a source that is declared twice.
 *
 * @throws {StagecraftError} INVALID_REQUEST with the files that have it.
 */
export function checkTwice({ added, folders, rootOf, stays }: TwiceOptions): void {
  const isRead = (path: string): boolean => {
    const root = rootOf(path)
    const known = folders.get(root)
    return known !== undefined && isInFolders(root === '' ? path : path.slice(root.length + 1), known)
  }
  const owners = new Map<string, ReadFile[]>()
  for (const file of stays) {
    if (!isRead(file.path)) continue
    for (const name of file.definitions) owners.set(name, [...(owners.get(name) ?? []), file])
  }
  const clashes = [...added].flatMap(([path, names]) => {
    if (!isRead(path)) return []
    const isOther = (file: ReadFile): boolean => file.path !== path && rootOf(file.path) === rootOf(path)
    return [...names].flatMap((name) =>
      (owners.get(name) ?? []).filter(isOther).map((file) => ({ name, path: file.path })),
    )
  })
  if (clashes.length > 0) throw definedTwice(clashes)
}

function definedTwice(clashes: readonly { readonly name: string; readonly path: string }[]): StagecraftError {
  const files = [...new Set(clashes.map(({ path }) => path))].toSorted()
  const found = clashes.map(({ name, path }) => `${name} in ${path}`)
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : ''
  const suggestion = 'move them back to where they are pushed to, or remove them there, and push again'
  const message = `dbt takes once what the branch has in other files already: ${found.slice(0, SHOWN).join(', ')}${more}; ${suggestion}`
  return new StagecraftError('INVALID_REQUEST', message, {
    details: { reason: 'defined_twice', files, suggestion },
  })
}
