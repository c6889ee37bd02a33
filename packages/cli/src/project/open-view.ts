import { freshView, insideTree, type ProjectView, projectView } from '@stagecraft/assistant'
import type { ChosenProject } from '../files/choose-project.ts'
import { type LintRunFlags, openLintRun } from './lint-run.ts'

export interface ViewFlags extends Pick<LintRunFlags, 'catalog' | 'config' | 'dialect'> {
  readonly projectDir?: string
}

/**
 * Opens a project for questions, with the rules of `stagecraft lint`. Files outside its folder are not read. The
 * project is read again after its files change.
 */
export function openView(chosen: ChosenProject, flags: ViewFlags): () => Promise<ProjectView> {
  const tree = insideTree(chosen.root)
  return freshView(tree, async () => {
    const { config, configText, read, rules } = await openLintRun(chosen, flags, { structure: true, tree })
    return projectView(await read(new Map()), { config, configText, read, rules, tree })
  })
}
