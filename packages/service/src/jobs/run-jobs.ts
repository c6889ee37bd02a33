import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { ServiceContext } from '../context.ts'
import type { JobKind, JobTable } from './job-kind.ts'
import { type RunJobsOptions, runKind, type RunningJobs } from './run-kind.ts'

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
