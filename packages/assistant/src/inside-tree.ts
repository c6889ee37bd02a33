import { realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { diskTree, type FileTree } from '@stagecraft/dbt'

/** A larger file is none that a person wrote for dbt. */
const LARGEST_FILE = 2_000_000

/** Files with the secrets of people, wherever they lie. */
const PRIVATE = /(?:^|\/)(?:\.[^/]*|profiles\.ya?ml|[^/]*\.(?:pem|key|p12|pfx))(?:\/|$)/i

/**
 * Creates the tree of a dbt project on disk for answers that leave it: links that lead out of the folder, hidden files,
 * profiles, keys and files over 2 MB are not there.
 *
 * @param root The folder with `dbt_project.yml`.
 */
export function insideTree(root: string): FileTree {
  const tree = diskTree(root)
  const real = realpathSync(root)
  const isInside = (path: string): boolean => {
    if (PRIVATE.test(path)) return false
    try {
      const target = realpathSync(join(root, path))
      const isBelow = target === real || target.startsWith(real.endsWith(sep) ? real : `${real}${sep}`)
      return isBelow && !PRIVATE.test(target.slice(real.length)) && statSync(target).size <= LARGEST_FILE
    } catch (error) {
      // gone since it was listed, or a link to nothing
      if (error instanceof Error && 'code' in error) return false
      throw error
    }
  }
  return {
    list: async (folder, options) => (await tree.list(folder, options)).filter(({ path }) => isInside(path)),
    read: (path) => (isInside(path) ? tree.read(path) : Promise.resolve(undefined)),
  }
}

/** Nobody's business, and not written by hand: what dbt built. */
const BUILT = /^(?:target|logs)\//

/** The same files without hidden ones, profiles, keys and what dbt built, for answers that leave a tree in memory. */
export function publicTree(tree: FileTree): FileTree {
  const isOpen = (path: string): boolean => !PRIVATE.test(path) && !BUILT.test(path)
  return {
    list: async (folder, options) => (await tree.list(folder, options)).filter(({ path }) => isOpen(path)),
    read: (path) => (isOpen(path) ? tree.read(path) : Promise.resolve(undefined)),
  }
}
