import { type DbtFolders, isInFolders } from './dbt-definitions.ts'
import type { ReadFile } from './project-files.ts'

/** A definition of this push that another file of the branch already has. */
export interface Clash {
  /** The file of this push. */
  readonly path: string
  /** In the words of `readDefinitions`: `the model orders`. */
  readonly name: string
  readonly definedIn: string
}

export interface ClashOptions {
  /** The definitions that this push adds to a file of the branch, by path. */
  readonly added: ReadonlyMap<string, ReadonlySet<string>>
  /** All files of the branch after the push. */
  readonly stays: readonly ReadFile[]
  readonly rootOf: (path: string) => string
  /** By the folder of the project. */
  readonly folders: ReadonlyMap<string, DbtFolders>
}

/** Finds duplicate definitions: dbt allows one model of a name and one declaration of a source table. */
export function findClashes({ added, folders, rootOf, stays }: ClashOptions): readonly Clash[] {
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
  return [...added].flatMap(([path, names]) => {
    if (!isRead(path)) return []
    const isOther = (file: ReadFile): boolean => file.path !== path && rootOf(file.path) === rootOf(path)
    return [...names].flatMap((name) =>
      (owners.get(name) ?? []).filter(isOther).map((file) => ({ path, name, definedIn: file.path })),
    )
  })
}
