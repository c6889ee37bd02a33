import { analysisJobs } from '../../packages/service/src/analyses/run-analysis.ts'
import type { ServiceContext } from '../../packages/service/src/context.ts'
import { generationJobs } from '../../packages/service/src/generations/generate-batch.ts'
import type { AnyJobKind } from '../../packages/service/src/jobs/run-jobs.ts'
import { pushJobs } from '../../packages/service/src/pushes/push-jobs.ts'
import { scanJobs } from '../../packages/service/src/scans/run-scan.ts'
import { messageJobs } from '../../packages/service/src/talk/message-jobs.ts'

/** All that a worker of the service does. */
export function jobsOf(context: ServiceContext): readonly AnyJobKind[] {
  return [
    generationJobs(context),
    pushJobs(context),
    analysisJobs(context),
    scanJobs(context),
    messageJobs(context),
  ]
}
