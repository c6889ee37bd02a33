// A thread that checks one project, or works out its fixes, and ends.
import { parentPort, workerData } from 'node:worker_threads'
import { memoryTree } from '@stagecraft/dbt'
import { answerOf, type WorkerAnswer } from '../worker/run-in-worker.ts'
import type { AnalysisTask, CheckAnswer, FixedProject, ProjectInput } from './analysis-task.ts'
import { checkProject, summarizeReport } from './check-project.ts'
import { fixFiles } from './fix-files.ts'
import { readArchivedProject } from './read-project-files.ts'

async function work(task: AnalysisTask): Promise<WorkerAnswer<CheckAnswer | FixedProject>> {
  try {
    return { result: task.kind === 'check' ? await check(task) : await fixFiles(task) }
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
