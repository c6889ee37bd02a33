import { type ProjectView, projectView } from '@stagecraft/assistant'
import { chooseRules, type LintProject, readLintProject } from '@stagecraft/analysis'
import { parseConfig } from '@stagecraft/core'
import { type FileTree, readText, withTexts } from '@stagecraft/dbt'
import type { Table } from '@stagecraft/spec'
import type { ProjectTask } from './project-task.ts'

/** Reads a project without running any of it. */
export async function viewProject(
  tree: FileTree,
  { settings, tables: known }: Pick<ProjectTask, 'settings' | 'tables'>,
): Promise<ProjectView> {
  const text = (await readText(tree, 'stagecraft.yml')) ?? ''
  const config = parseConfig(text, 'stagecraft.yml')
  const dialect = config.dialect ?? settings.dialect
  const tables = known?.map((table) => JSON.parse(table) as Table)
  const read = (changed: FileTree): Promise<LintProject> =>
    readLintProject(changed, {
      ...(dialect && { dialect }),
      ...(tables && { tables }),
      ignore: { path: 'stagecraft.yml', text, settings: config.lint?.ignore ?? [] },
      structure: true,
    })
  return projectView(await read(tree), {
    rules: chooseRules({ severities: config.lint?.rules ?? {} }),
    tree,
    config,
    configText: text === '' ? undefined : text,
    read: (texts) => read(withTexts(tree, texts)),
  })
}
