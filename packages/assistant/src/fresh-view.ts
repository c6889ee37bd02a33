import type { FileTree, TreeFile } from '@stagecraft/dbt'
import type { ProjectView } from './project-view.ts'

/** Folders that tools do not read. */
const SKIPPED = /(?:^|\/)(?:\.[^/]*|node_modules|venv|target\/(?:compiled|run))$/

/**
 * Reads a project again only if its files changed since the last call. Concurrent calls share one read.
 *
 * @param read Reads the project and creates its view.
 */
export function freshView(tree: FileTree, read: () => Promise<ProjectView>): () => Promise<ProjectView> {
  let last: { readonly state: string | undefined; readonly view: Promise<ProjectView> } | undefined
  return async () => {
    const state = stateOf(await tree.list('', { skip: (folder) => SKIPPED.test(folder) }))
    if (last && state !== undefined && last.state === state) return last.view
    const view = read()
    last = { state, view }
    try {
      return await view
    } catch (error) {
      last = undefined
      throw error
    }
  }
}

/** Returns the versions of all files; undefined if a file is so new that only its content shows a change. */
function stateOf(files: readonly TreeFile[]): string | undefined {
  if (files.some(({ version }) => version === undefined)) return undefined
  return JSON.stringify(files.map(({ path, version }) => [path, version]))
}
