import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { ServiceContext } from '../context.ts'
import type { JobKind, JobTable } from './job-kind.ts'
import { runKind } from './run-kind.ts'

export interface RunJobsOptions {
  /** How often is looked for jobs of other processes, in milliseconds. @default 500 */
  readonly pollMs?: number
  /** How long a job is held without a sign of life, in milliseconds. @default 30000 */
  readonly leaseMs?: number
  /** How often a job is begun whose process ended in the midst of it. @default 3 */
  readonly maxAttempts?: number
}

export interface RunningJobs {
  /** Takes no new ones, and gives those that are under way back. */
  stop(): Promise<void>
}

/** A kind of job, of whatever table. */
export type AnyJobKind = { [Table in JobTable]: JobKind<Table> }[JobTable]

/** Does jobs until it is stopped. */
export function runJobs(
  context: ServiceContext,
  kinds: readonly AnyJobKind[],
  { leaseMs = 30_000, maxAttempts = 3, pollMs = 500 }: RunJobsOptions = {},
): RunningJobs {
  const worker = `${hostname().slice(0, 40)}:${process.pid}:${randomUUID().slice(0, 8)}`
  const settings = { leaseMs, maxAttempts, pollMs, worker }
  const running = kinds.map((kind) => runKind(context, kind as JobKind<JobTable>, settings))
  return {
    async stop() {
      await Promise.all(running.map((one) => one.stop()))
    },
  }
}
