// A thread that plans units for one branch, and ends.
import { parentPort, workerData } from 'node:worker_threads'
import type { FileTree } from '@stagecraft/dbt'
import { foldersOf } from '../git/file-path.ts'
import type { PlannedProject } from '../git/push-options.ts'
import { type AskOutside, askOutside } from '../worker/questions.ts'
import { answerOf, type WorkerAnswer } from '../worker/run-in-worker.ts'
import type { PlanTask } from './plan-task.ts'
import { planUnits } from './plan-units.ts'

async function work(task: PlanTask, ask: AskOutside): Promise<WorkerAnswer<PlannedProject>> {
  const { exceptions, folder, options } = task
  const readGenerated = async (unitId: string): Promise<readonly string[]> =>
    (await ask('generated', unitId)) as readonly string[]
  try {
    const planner = planUnits({ ...options, readGenerated })
    return { result: await planner.plan({ folder, tree: treeOf(task, ask) }, exceptions) }
  } catch (error) {
    return answerOf(error)
  }
}

/** The files of the branch: those sent with the task, and others on demand. */
function treeOf({ contents, files }: PlanTask, ask: AskOutside): FileTree {
  const known = new Set(files.map(({ path }) => path))
  return {
    list: (folder, { skip = () => false } = {}) =>
      Promise.resolve(
        files.filter(
          ({ path }) => (folder === '' || path.startsWith(`${folder}/`)) && !foldersOf(path).some(skip),
        ),
      ),
    read: async (path) => {
      if (!known.has(path)) return undefined
      return contents.get(path) ?? ((await ask('file', path)) as Uint8Array | undefined)
    },
  }
}

if (parentPort) parentPort.postMessage(await work(workerData as PlanTask, askOutside(parentPort)), [])
