import { runInWorker, type WorkerLimits, type WorkerOptions } from '../worker/run-in-worker.ts'
import type { AnalysisTask, CheckAnswer, FixedProject, FoundJoin } from './analysis-task.ts'

/** The limits of an analysis: a project of 1,500 models takes a few seconds and 300 MB. */
export const ANALYSIS_LIMITS: WorkerLimits = { timeMs: 120_000, memoryMb: 1024 }

/** In development the source file runs as it is; a build has the JavaScript file. */
const MODULE = new URL(
  import.meta.url.endsWith('.ts') ? './analysis-worker.ts' : './analysis-worker.js',
  import.meta.url,
)

type Options = Pick<WorkerOptions, 'signal'> & Partial<Pick<WorkerOptions, 'limits'>>

/** Checks a project in a separate thread. */
export function checkInThread(
  task: Omit<Extract<AnalysisTask, { kind: 'check' }>, 'kind'>,
  { limits = ANALYSIS_LIMITS, signal }: Options,
): Promise<CheckAnswer> {
  return runInWorker(MODULE, { kind: 'check', ...task } satisfies AnalysisTask, { limits, signal })
}

/** Plans the fixes of a project in a separate thread. */
export function fixInThread(
  task: Omit<Extract<AnalysisTask, { kind: 'fix' }>, 'kind'>,
  { limits = ANALYSIS_LIMITS, signal }: Options,
): Promise<FixedProject> {
  return runInWorker(MODULE, { kind: 'fix', ...task } satisfies AnalysisTask, { limits, signal })
}

/** Finds the joins between tables in the SQL of a project, in a separate thread. */
export function joinsInThread(
  task: Omit<Extract<AnalysisTask, { kind: 'joins' }>, 'kind'>,
  { limits = ANALYSIS_LIMITS, signal }: Options,
): Promise<readonly FoundJoin[]> {
  return runInWorker(MODULE, { kind: 'joins', ...task } satisfies AnalysisTask, { limits, signal })
}
