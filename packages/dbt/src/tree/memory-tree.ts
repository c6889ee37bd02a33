import { hash } from 'node:crypto'
import type { FileTree } from './file-tree.ts'
import { foldersOf } from './paths.ts'

/** Creates a tree of the given contents, by path: an upload, a branch that was read before, a test. */
export function memoryTree(files: Readonly<Record<string, string | Uint8Array>>): FileTree {
  const contents = new Map(
    Object.entries(files)
      .map(([path, content]) => [path, typeof content === 'string' ? encode(content) : content] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
  return {
    list(folder, { skip = () => false } = {}) {
      const listed = [...contents].filter(([path]) => isBeneath(path, folder) && !foldersOf(path).some(skip))
      return Promise.resolve(
        listed.map(([path, content]) => ({
          path,
          get version() {
            return versionOf(content)
          },
        })),
      )
    },
    read: (path) => Promise.resolve(contents.get(path)),
  }
}

function isBeneath(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

function versionOf(content: Uint8Array): string {
  return hash('sha256', content)
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
