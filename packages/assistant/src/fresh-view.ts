import type { FileTree, TreeFile } from '@stagecraft/dbt'
import type { ProjectView } from './project-view.ts'

/** Folders that hold nothing of the project that tools look at. */
const SKIPPED = /(?:^|\/)(?:\.[^/]*|node_modules|venv|target\/(?:compiled|run))$/

/**
 * Reads a project whenever its files changed since the last call, and not otherwise. Calls at the same time read it once.
 *
 * @param read Reads the project and looks at it.
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

/** The versions of all files; undefined if one is so young that only its content tells. */
function stateOf(files: readonly TreeFile[]): string | undefined {
  if (files.some(({ version }) => version === undefined)) return undefined
  return JSON.stringify(files.map(({ path, version }) => [path, version]))
}
