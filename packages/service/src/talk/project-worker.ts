// A thread that reads one dbt project, keeps it, and answers questions about it.
import { parentPort, workerData } from 'node:worker_threads'
import { queryableProject, publicTree, TOOLS, type ToolPorts } from '@stagecraft/assistant'
import { type FileTree, memoryTree } from '@stagecraft/dbt'
import { answerQuestions, type AskOwner } from '../worker/questions.ts'
import { viewProject } from './view-project.ts'
import { modelPlanner } from './plan-models.ts'
import type { ProjectAsks, ProjectQuestion, ProjectTask } from './project-task.ts'

const task = workerData as ProjectTask
/** Private data of the repository is not read. */
const tree: FileTree = publicTree(memoryTree(task.files))
/** If the project cannot be read, every question fails with the reason. */
const reading = viewProject(tree, task).then(
  (view) => ({ view }),
  (error: unknown) => ({ error }),
)

async function answer(question: ProjectQuestion, ask: AskOwner): Promise<unknown> {
  const read = await reading
  if ('error' in read) throw read.error
  const project = queryableProject(read.view)
  if (question.kind === 'compute') return project.compute(question.question)
  if (question.kind === 'finding') return project.finding(question.id)
  if (question.kind === 'lines') return project.lines(question.places)
  const tool = TOOLS.find(({ name }) => name === question.tool)
  if (!tool) throw new TypeError(`there is no tool ${question.tool}`)
  return project.call(tool, question.input, question.proposes ? portsOf(ask) : {})
}

function portsOf(ask: AskOwner): ToolPorts {
  const asks: ProjectAsks = {
    keep: (draft) => ask('keep', draft) as ReturnType<ProjectAsks['keep']>,
    table: (source) => ask('table', source) as ReturnType<ProjectAsks['table']>,
  }
  const place = `/v1/projects/${task.projectId}/assistant/proposals`
  return {
    proposals: {
      keep: asks.keep,
      ways: (id) => ({
        apply: `POST ${place}/${id}/apply with {"branch": "…"}`,
        show: `GET ${place}/${id}`,
      }),
    },
    planner: modelPlanner({ ...task, tree, readTable: asks.table }),
  }
}

if (parentPort) answerQuestions(parentPort, answer)
