// A process that scans until it is killed: it stops for ever where the test wants it to, and says so.
import { scanJobs } from '../../packages/service/src/scans/run-scan.ts'
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { openStore } from '../../packages/service/src/store/open-store.ts'
import type { StorePlace } from './each-store.ts'
import { openTestContext } from './open-test-context.ts'

export interface WorkerOrder {
  readonly place: StorePlace
  /** `read`: when tables were read; `store`: when they are written, and not committed. */
  readonly moment: 'read' | 'store'
}

const { moment, place } = JSON.parse(process.argv[2] ?? '') as WorkerOrder
const store = await openStore({ migrations: MIGRATIONS, ...place })
const context = openTestContext(store)

function stopForEver(): never {
  process.stdout.write('stopped\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  throw new Error('expected to be killed')
}

const ids: typeof context.ids = {
  next: (prefix) => (moment === 'store' && prefix === 'evt' ? stopForEver() : context.ids.next(prefix)),
}
const stopping = { ...context, ids }
const kind = scanJobs(stopping)
const run: typeof kind.run = (row, held) => kind.run(row, { ...held, progress: async () => stopForEver() })
runJobs(stopping, [moment === 'read' ? { ...kind, run } : kind], { pollMs: 20, leaseMs: 1500 })
