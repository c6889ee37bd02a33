import { applyFixes } from '@stagecraft/analysis'
import { memoryTree, withTexts } from '@stagecraft/dbt'
import type { AnalysisTask, FixedProject } from './analysis-task.ts'
import { checkProject } from './check-project.ts'

/** How often fixes are worked out again: one may make room for another. */
const PASSES = 5

/** Works out the fixes of what rules find in a project. */
export async function fixFiles({
  dialect,
  files: contents,
  order,
}: Extract<AnalysisTask, { kind: 'fix' }>): Promise<FixedProject> {
  const tree = memoryTree(contents)
  const before = new Map<string, string | undefined>()
  const after = new Map<string, string | undefined>()
  const notes = new Map<string, Set<string>>()
  for (let pass = 1; pass <= PASSES; pass += 1) {
    const { project, report } = await checkProject(withTexts(tree, after), order.rules, dialect)
    const wanted = report.findings.filter(({ rule }) => order.only?.includes(rule) ?? true)
    const { files, fixed } = applyFixes(project, wanted, { unsafe: order.unsafe })
    if (files.length === 0) break
    for (const { fix, path, rule } of fixed)
      notes.set(path, (notes.get(path) ?? new Set()).add(`${rule}: ${fix?.summary ?? ''}`))
    for (const file of files) {
      if (!before.has(file.path)) before.set(file.path, file.before)
      after.set(file.path, file.after)
    }
  }
  return {
    files: [...after].map(([path, text]) => ({
      path,
      before: before.get(path),
      after: text,
      notes: [...(notes.get(path) ?? [])],
    })),
  }
}
