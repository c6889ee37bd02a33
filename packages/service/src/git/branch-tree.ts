import type { FileTree } from '@stagecraft/dbt'
import { compareText } from '@stagecraft/spec'
import { foldersOf } from './file-path.ts'
import { isFile } from './plan-commit.ts'
import { readBytes } from './read-contents.ts'
import type { Git } from './run-git.ts'
import type { TreeEntry } from './tree-entries.ts'

/** The files that dbt reads. A plan reads most of them. */
const DBT_FILE = /\.(?:sql|py|ya?ml|md)$/i

/** The number of files that are read at the same time. */
const FILES = 2000

/**
 * Opens a folder of a commit as a tree. Files that dbt reads are fetched together, others on demand. Links and
 * submodules do not count as files.
 */
export async function branchTree(
  git: Git,
  { entries, folder }: { readonly entries: ReadonlyMap<string, TreeEntry>; readonly folder: string },
): Promise<FileTree> {
  const start = folder === '' ? 0 : folder.length + 1
  const files = new Map(
    [...entries]
      .filter(([path, entry]) => isFile(entry) && (folder === '' || path.startsWith(`${folder}/`)))
      .map(([path, { id }]) => [path.slice(start), id] as const)
      .toSorted(([a], [b]) => compareText(a, b)),
  )
  const contents = new Map<string, Buffer>()
  const wanted = [...files].filter(([path]) => DBT_FILE.test(path)).map(([, id]) => id)
  for (let from = 0; from < wanted.length; from += FILES)
    for (const [id, bytes] of await readBytes(git, wanted.slice(from, from + FILES))) contents.set(id, bytes)
  return {
    list: (beneath, { skip = () => false } = {}) =>
      Promise.resolve(
        [...files]
          .filter(([path]) => isBeneath(path, beneath) && !foldersOf(path).some(skip))
          .map(([path, version]) => ({ path, version })),
      ),
    read: async (path) => {
      const id = files.get(path)
      return id === undefined ? undefined : (contents.get(id) ?? (await readBytes(git, [id])).get(id))
    },
  }
}

/** Returns a tree without some of its files. */
export function withoutFiles(tree: FileTree, hidden: ReadonlySet<string>): FileTree {
  if (hidden.size === 0) return tree
  return {
    list: async (folder, options) =>
      (await tree.list(folder, options)).filter(({ path }) => !hidden.has(path)),
    read: async (path) => (hidden.has(path) ? undefined : await tree.read(path)),
  }
}

function isBeneath(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}
