import type { FileTree, TreeFile } from '@stagecraft/dbt'
import type { BranchProject, PlanExceptions, PlannedProject, ProjectPlanner } from '../git/push-options.ts'
import { runInWorker, type WorkerLimits } from '../worker/run-in-worker.ts'
import type { PlanTask } from './plan-task.ts'
import { type PlannerOptions, planUnits } from './plan-units.ts'

export interface ThreadedPlannerOptions extends PlannerOptions {
  /** Ends the thread. */
  readonly signal: AbortSignal
  /**
   * Up to this size, plans run in this thread, because starting another takes longer. @default 300 files and 50 units
   */
  readonly small?: { readonly files: number; readonly units: number }
}

/** Enough for the largest projects; also ends a plan that hangs. */
const LIMITS: WorkerLimits = { timeMs: 600_000, memoryMb: 2048 }
const SUGGESTION = 'push fewer units at a time'
const SMALL = { files: 300, units: 50 }

/** The files that are sent with the task, because a plan reads all of them. */
const READ = /\.(?:sql|py|ya?ml|md|lock)$/i

/** In development the source file runs as it is; a build has the JavaScript file. */
const MODULE = new URL(
  import.meta.url.endsWith('.ts') ? './plan-worker.ts' : './plan-worker.js',
  import.meta.url,
)

/** Plans like `planUnits`. Large plans run in a separate thread, so that they do not block the service. */
export function planUnitsInThread({
  signal,
  small = SMALL,
  ...options
}: ThreadedPlannerOptions): ProjectPlanner {
  return {
    folder: options.folder,
    async plan(project, exceptions) {
      const files = await project.tree.list('')
      if (files.length <= small.files && options.snapshot.units.length <= small.units)
        return planUnits(options).plan(project, exceptions)
      return planInThread({ project, exceptions, files }, options, signal)
    },
  }
}

interface Asked {
  readonly project: BranchProject
  readonly exceptions: PlanExceptions
  readonly files: readonly TreeFile[]
}

async function planInThread(
  { exceptions, files, project: { folder, tree } }: Asked,
  { readGenerated, ...options }: PlannerOptions,
  signal: AbortSignal,
): Promise<PlannedProject> {
  const contents = await readAll(tree, files)
  const task: PlanTask = { options, exceptions, folder, files, contents }
  return runInWorker(MODULE, task, {
    limits: LIMITS,
    signal,
    suggestion: SUGGESTION,
    answers: { file: (path) => tree.read(path), generated: readGenerated },
  })
}

async function readAll(tree: FileTree, files: readonly TreeFile[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>()
  for (const { path } of files) {
    const bytes = READ.test(path) ? await tree.read(path) : undefined
    if (bytes) contents.set(path, bytes)
  }
  return contents
}
