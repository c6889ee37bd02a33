import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { addConnection } from '../../packages/service/src/connections/connection-handlers.ts'
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import { scanHandlers } from '../../packages/service/src/scans/scan-handlers.ts'
import { scanJobs } from '../../packages/service/src/scans/run-scan.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { repositoryPath } from '../paths.ts'
import { describeEachStore } from './each-store.ts'
import { addProject, callOf, openTestContext } from './open-test-context.ts'
import type { WorkerOrder } from './scan-worker.ts'

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-kill-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a worker until it says that it stopped where it was to, and kills it there. */
async function killWorker(order: WorkerOrder): Promise<void> {
  const script = repositoryPath('test/service/scan-worker.ts')
  const worker = spawn(process.execPath, [script, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void worker.kill('SIGKILL'))
  const exit = once(worker, 'exit')
  const [text] = (await Promise.race([
    once(worker.stdout, 'data'),
    exit.then(() => Promise.reject(new Error('the worker ended before it was killed'))),
  ])) as [Buffer]
  expect(text.toString()).toBe('stopped\n')
  worker.kill('SIGKILL')
  await exit
}

await describeEachStore('a scan whose process is killed', MIGRATIONS, (open, place) => {
  test.each(['read', 'store'] as const)(
    'is done again, and ends once (%s)',
    async (moment) => {
      const context = openTestContext(await open())
      const { store } = context
      const caller = await addProject(context)
      const catalog = join(folder, 'shop.sql')
      writeFileSync(catalog, 'create table shop.orders (id int); create table shop.lines (id int);')
      await addConnection({ projectId: caller.projectId, name: 'shop', catalog }, context)
      const { data } = await scanHandlers(context).createScan(callOf(caller, {}))
      await killWorker({ place, moment })
      const read = () => store.db.selectFrom('scans').selectAll().executeTakeFirstOrThrow()
      expect(await read()).toMatchObject({ id: data.id, state: 'running', attempts: 1 })
      expect(await store.db.selectFrom('source_tables').select('name').execute()).toEqual([])

      const jobs = runJobs(context, [scanJobs(context)], { pollMs: 50 })
      onTestFinished(() => jobs.stop())
      await expect.poll(read).toMatchObject({ state: 'completed', attempts: 2, tables: 2 })
      const events = await store.db.selectFrom('events').select('event').execute()
      expect(events).toEqual([{ event: 'scan.completed' }])
      expect(await store.db.selectFrom('source_tables').select('name').execute()).toHaveLength(2)
    },
    30_000,
  )
})
