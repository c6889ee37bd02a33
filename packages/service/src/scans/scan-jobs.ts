import type { ServiceContext } from '../context.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import { runScan } from './run-scan.ts'

/** Two at once: a scan of a large warehouse holds all its tables in memory. */
const CONCURRENCY = 2

/** Defines the jobs that scan. */
export function scanJobs(context: ServiceContext): JobKind<'scans'> {
  return { table: 'scans', concurrency: CONCURRENCY, run: (row, lease) => runScan(context, row, lease) }
}
