import type { ServiceContext } from './context.ts'
import type { DeliveryMetrics } from './delivery/deliveries-options.ts'
import { runDeliveries } from './delivery/run-deliveries.ts'
import { generationJobs } from './generations/generation-jobs.ts'
import { pruneIdempotency } from './idempotency/stored-idempotency.ts'
import { runJobs } from './jobs/run-jobs.ts'
import { startLoop } from './loop.ts'
import { pushJobs } from './pushes/push-jobs.ts'
import { scanJobs } from './scans/run-scan.ts'

/** The background work of a process. */
export interface Work {
  /** Takes nothing new, lets what is short finish, and hands the rest back, so that another process goes on with it. */
  stop(): Promise<void>
}

const PRUNE_MILLISECONDS = 60 * 60_000

/** Begins to do jobs and to send deliveries. */
export function startWork(context: ServiceContext, metrics: DeliveryMetrics): Work {
  const jobs = runJobs(context, [scanJobs(context), generationJobs(context), pushJobs(context)])
  const deliveries = runDeliveries(context, { metrics })
  const message = 'could not delete expired idempotency records'
  const { logger } = context
  const prune = startLoop(() => pruneIdempotency(context), { logger, everyMs: PRUNE_MILLISECONDS, message })
  return {
    async stop() {
      await Promise.all([prune.stop(), jobs.stop(), deliveries.stop()])
    },
  }
}
