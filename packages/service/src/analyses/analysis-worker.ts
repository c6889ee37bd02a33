// A thread that checks one project, works out its fixes or finds its joins, and ends.
import { parentPort, workerData } from 'node:worker_threads'
import { memoryTree, withTexts } from '@stagecraft/dbt'
import { answerOf, type WorkerAnswer } from '../worker/run-in-worker.ts'
import type { AnalysisTask, CheckAnswer, FixedProject, FoundJoin, ProjectInput } from './analysis-task.ts'
import { checkProject, summarizeReport } from './check-project.ts'
import { readArchivedProject } from './read-project-files.ts'
import { applyFixes, readLintProject, tableJoins } from '@stagecraft/analysis'

/** The number of planning passes: one fix may make room for another. */
const PASSES = 5

/** Plans the fixes of the findings in a project. */
async function fixFiles({
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

async function findJoins({
  dialect,
  files,
  tables,
}: Extract<AnalysisTask, { kind: 'joins' }>): Promise<readonly FoundJoin[]> {
  const project = await readLintProject(memoryTree(files), {
    ...(dialect && { dialect }),
    structure: true,
    tables,
  })
  const numbers = new Map(tables.map((table, number) => [table, number] as const))
  const numbered = ({ column, table }: { table: (typeof tables)[number]; column: string }) => ({
    table: numbers.get(table) ?? -1,
    column,
  })
  return tableJoins(project, tables).map(({ left, place, right }) => ({
    left: numbered(left),
    right: numbered(right),
    place,
  }))
}

type Answer = CheckAnswer | FixedProject | readonly FoundJoin[]

function answer(task: AnalysisTask): Promise<Answer> {
  if (task.kind === 'joins') return findJoins(task)
  return task.kind === 'check' ? check(task) : fixFiles(task)
}

async function work(task: AnalysisTask): Promise<WorkerAnswer<Answer>> {
  try {
    return { result: await answer(task) }
  } catch (error) {
    return answerOf(error)
  }
}

async function check({
  dialect,
  input,
  rules,
}: Extract<AnalysisTask, { kind: 'check' }>): Promise<CheckAnswer> {
  const { files, folder } = open(input)
  const { report } = await checkProject(memoryTree(files), rules, dialect)
  return { summary: summarizeReport(report), folder }
}

function open(input: ProjectInput): Pick<CheckAnswer, 'folder'> & Extract<ProjectInput, { files: object }> {
  return 'archive' in input
    ? readArchivedProject(input.archive, input.path)
    : { files: input.files, folder: undefined }
}

parentPort?.postMessage(await work(workerData as AnalysisTask), [])
