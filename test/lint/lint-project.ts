import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  chooseRules,
  findRule,
  lint,
  type LintProject,
  type LintReport,
  readLintProject,
  type Rule,
} from '@stagecraft/analysis'
import { parseConfig } from '@stagecraft/core'
import { memoryTree } from '@stagecraft/dbt'

export type Files = Readonly<Record<string, string>>

/** The files of a folder by path, without what a test expects of them. */
export function readFiles(folder: string): Files {
  if (!existsSync(folder)) return {}
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')] as const)
      .filter(([path]) => path !== 'findings.txt')
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** Reads the files of a project, with its `stagecraft.yml`; one without `dbt_project.yml` is called shop. */
export function readFilesAsProject(files: Files): Promise<LintProject> {
  const text = files['stagecraft.yml'] ?? ''
  const { lint: settings } = parseConfig(text, 'stagecraft.yml')
  return readLintProject(memoryTree({ 'dbt_project.yml': 'name: shop\n', ...files }), {
    ignore: { path: 'stagecraft.yml', text, settings: settings?.ignore ?? [] },
  })
}

/** Checks files by the rules that are on, and by one more. */
export async function lintFiles(files: Files, rule?: Rule): Promise<LintReport> {
  const severities = rule ? { [rule.id]: rule.severity } : {}
  const isRule = (id: string): boolean => findRule(id) !== undefined
  return lint(await readFilesAsProject(files), { rules: chooseRules({ severities }), isRule })
}
