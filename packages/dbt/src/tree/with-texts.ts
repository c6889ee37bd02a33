import { compareText } from '@stagecraft/spec'
import type { FileTree } from './file-tree.ts'
import { foldersOf } from './paths.ts'

/** Returns a tree with some files replaced or added: changes that are not written yet. Undefined deletes a file. */
export function withTexts(tree: FileTree, texts: ReadonlyMap<string, string | undefined>): FileTree {
  return {
    async list(folder, options = {}) {
      const isGone = (path: string): boolean => texts.has(path) && texts.get(path) === undefined
      const listed = (await tree.list(folder, options)).filter(({ path }) => !isGone(path))
      const known = new Set(listed.map(({ path }) => path))
      const added = [...texts.keys()]
        .filter(
          (path) => !known.has(path) && !isGone(path) && (folder === '' || path.startsWith(`${folder}/`)),
        )
        .filter((path) => !foldersOf(path).some((one) => options.skip?.(one)))
      if (added.length === 0) return listed
      const files = [...listed, ...added.map((path) => ({ path, version: undefined }))]
      return files.toSorted((a, b) => compareText(a.path, b.path))
    },
    read(path) {
      if (!texts.has(path)) return tree.read(path)
      const text = texts.get(path)
      return Promise.resolve(text === undefined ? undefined : new TextEncoder().encode(text))
    },
  }
}
