import { realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { diskTree, type FileTree } from '@stagecraft/dbt'

/** Larger files were not written by hand for dbt. */
const LARGEST_FILE = 2_000_000

/** Files with secrets of users, in any folder. */
const PRIVATE = /(?:^|\/)(?:\.[^/]*|profiles\.ya?ml|[^/]*\.(?:pem|key|p12|pfx))(?:\/|$)/i

/**
 * Creates the tree of a dbt project on disk for answers to clients. It leaves out links that lead out of the folder,
 * hidden files, profiles, keys and files over 2 MB.
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
      // deleted since it was listed, or a broken link
      if (error instanceof Error && 'code' in error) return false
      throw error
    }
  }
  return {
    list: async (folder, options) => (await tree.list(folder, options)).filter(({ path }) => isInside(path)),
    read: (path) => (isInside(path) ? tree.read(path) : Promise.resolve(undefined)),
  }
}

/** Output of dbt, which nobody wrote by hand. */
const BUILT = /^(?:target|logs)\//

/** Returns a tree in memory without hidden files, profiles, keys and output of dbt, for answers to clients. */
export function publicTree(tree: FileTree): FileTree {
  const isOpen = (path: string): boolean => !PRIVATE.test(path) && !BUILT.test(path)
  return {
    list: async (folder, options) => (await tree.list(folder, options)).filter(({ path }) => isOpen(path)),
    read: (path) => (isOpen(path) ? tree.read(path) : Promise.resolve(undefined)),
  }
}
