import { freshView, insideTree, type ProjectView, projectView } from '@stagecraft/assistant'
import type { ChosenProject } from '../files/choose-project.ts'
import { type LintRunFlags, openLintRun } from './lint-run.ts'

export interface ViewFlags extends Pick<LintRunFlags, 'catalog' | 'config' | 'dialect'> {
  readonly projectDir?: string
}

/**
 * Opens a project for questions: the rules are those that `stagecraft lint` checks, and files outside of its folder are not
 * read. The result reads it again whenever its files changed.
 */
export function openView(chosen: ChosenProject, flags: ViewFlags): () => Promise<ProjectView> {
  const tree = insideTree(chosen.root)
  return freshView(tree, async () => {
    const { config, configText, read, rules } = await openLintRun(chosen, flags, { structure: true, tree })
    return projectView(await read(new Map()), { config, configText, read, rules, tree })
  })
}
