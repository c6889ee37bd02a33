// A worker of its own, for tests that end it in the midst of its work: `node worker-process.ts '{"place": …}'`.
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { openStore } from '../../packages/service/src/store/open-store.ts'
import type { StorePlace } from './each-store.ts'
import { createGate, gatedBackend } from './gated-backend.ts'
import { jobsOf } from './jobs-of.ts'
import { openTestContext } from './open-test-context.ts'

export interface WorkerSettings {
  readonly place: StorePlace
  /** How many tables a backend answers for; at the next ones it hangs. Default: there is no backend. */
  readonly answers?: number
  readonly leaseMs: number
  /** Of pushes. Default: that of the system for temporary files. */
  readonly folder?: string
}

const { answers, folder, leaseMs, place } = JSON.parse(process.argv[2] ?? '{}') as WorkerSettings
const store = await openStore({ migrations: MIGRATIONS, ...place })
const gate = createGate()
const backend = gatedBackend(gate, answers ?? 0)
const settings = {
  ...(answers !== undefined && { llm: { backend, onFailure: 'fallback' as const } }),
  ...(folder !== undefined && { folder }),
}
const context = openTestContext(store, { settings })
runJobs(context, jobsOf(context), { pollMs: 20, leaseMs, maxAttempts: 1000 })
