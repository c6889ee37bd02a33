import { setTimeout as pause } from 'node:timers/promises'
import { StagecraftError } from '@stagecraft/spec'
import { expect, onTestFinished, test } from 'vitest'
import type { ServiceContext } from '../../packages/service/src/context.ts'
import { type JobKind, queuedJob } from '../../packages/service/src/jobs/lease.ts'
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import type { RunJobsOptions } from '../../packages/service/src/jobs/run-jobs.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import { addProject, openTestContext } from './open-test-context.ts'

async function addScan(context: ServiceContext, projectId: string): Promise<string> {
  const id = context.ids.next('scan')
  const row = { id, project_id: projectId, connection_id: 'conn_1', ...queuedJob(await context.store.now()) }
  const empty = {
    profile: 0 as const,
    max_rows: null,
    max_bytes: null,
    warnings: null,
    progress: null,
    tables: null,
    columns: null,
    changes: null,
  }
  await context.store.db
    .insertInto('scans')
    .values({ ...row, ...empty })
    .execute()
  return id
}

function readScan({ store }: ServiceContext, id: string) {
  return store.db.selectFrom('scans').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

function start(
  context: ServiceContext,
  run: JobKind<'scans'>['run'],
  options: RunJobsOptions & Partial<JobKind<'scans'>> = {},
) {
  const { concurrency = 4, ended, ...rest } = options
  const kind: JobKind<'scans'> = { table: 'scans', concurrency, run, ...(ended && { ended }) }
  const jobs = runJobs(context, [kind], { pollMs: 20, ...rest })
  onTestFinished(() => jobs.stop())
  return jobs
}

/** Waits until the job is told to stop. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    if (signal.aborted) reject(signal.reason as Error)
  })
}

await describeEachStore('running jobs', MIGRATIONS, (open) => {
  test('does a job, and writes its end with all that it caused', async () => {
    const context = openTestContext(await open())
    const { projectId } = await addProject(context)
    start(context, (row, held) =>
      held.finish(async (tx) => {
        await tx.db.updateTable('projects').set({ name: row.id }).execute()
        return { tables: 3 }
      }),
    )
    const id = await addScan(context, projectId)
    context.wakeups.notify('jobs')
    await expect
      .poll(() => readScan(context, id))
      .toMatchObject({ state: 'completed', tables: 3, attempts: 1 })
    const row = await readScan(context, id)
    expect(row.lease_owner).toBeNull()
    expect(row.finished_at).toBeGreaterThanOrEqual(row.started_at ?? Number.NaN)
    const project = await context.store.db.selectFrom('projects').select('name').executeTakeFirstOrThrow()
    expect(project.name).toBe(id)
  })

  test('a job that fails says why, without what is unexpected', async () => {
    const context = openTestContext(await open())
    const { projectId } = await addProject(context)
    const errors = [
      new StagecraftError('INVALID_SOURCE', 'there is no such table'),
      new StagecraftError('CONNECTION_FAILED', 'me:hunter2@db', { details: { reason: 'refused' } }),
      new Error('hunter2'),
    ]
    const ids = [await addScan(context, projectId), await addScan(context, projectId)]
    ids.push(await addScan(context, projectId))
    const ended: string[] = []
    start(context, (row) => Promise.reject(errors[ids.indexOf(row.id)] ?? new Error('unknown')), {
      ended: async (_transaction, row, { state }) => void ended.push(`${row.id} ${state}`),
    })
    for (const id of ids) await expect.poll(() => readScan(context, id)).toMatchObject({ state: 'failed' })
    const told = await Promise.all(ids.map(async (id) => (await readScan(context, id)).error))
    expect(told[0]).toContain('INVALID_SOURCE')
    expect(told[1]).toContain('refused')
    expect(told.join('')).not.toContain('hunter2')
    expect(ended.toSorted()).toEqual(ids.map((id) => `${id} failed`).toSorted())
  })

  test('a job that ends without its end is failed', async () => {
    const context = openTestContext(await open())
    const { projectId } = await addProject(context)
    const id = await addScan(context, projectId)
    start(context, () => Promise.resolve())
    await expect.poll(() => readScan(context, id)).toMatchObject({ state: 'failed' })
  })

  test('two processes share the jobs, and none is done twice', async () => {
    const contexts = [openTestContext(await open()), openTestContext(await open())]
    const [first] = contexts
    if (!first) return
    const { projectId } = await addProject(first)
    const ids = await Promise.all(Array.from({ length: 30 }, () => addScan(first, projectId)))
    const done: string[] = []
    for (const context of contexts) {
      start(context, async (row, held) => {
        done.push(row.id)
        await pause(5)
        await held.finish(() => Promise.resolve({}))
      })
    }
    await expect.poll(() => done.length).toBe(30)
    expect(new Set(done)).toEqual(new Set(ids))
  })

  test('a cancelled job stops, before it began and in the midst of it', async () => {
    const context = openTestContext(await open())
    const { projectId } = await addProject(context)
    const [waiting, running] = [await addScan(context, projectId), await addScan(context, projectId)]
    const cancel = (id: string) =>
      context.store.db.updateTable('scans').set({ cancel: 1 }).where('id', '=', id).execute()
    await cancel(waiting)
    const begun: string[] = []
    start(context, (row, { signal }) => {
      begun.push(row.id)
      return untilAborted(signal)
    })
    await expect.poll(() => begun).toEqual([running])
    await cancel(running)
    for (const id of [waiting, running])
      await expect.poll(() => readScan(context, id)).toMatchObject({ state: 'cancelled' })
    expect(begun).toEqual([running])
  })

  test('a process that stops hands its jobs back, and the attempt does not count', async () => {
    const context = openTestContext(await open())
    const { projectId } = await addProject(context)
    const id = await addScan(context, projectId)
    const jobs = start(context, (_row, { signal }) => untilAborted(signal))
    await expect.poll(() => readScan(context, id)).toMatchObject({ state: 'running' })
    await jobs.stop()
    expect(await readScan(context, id)).toMatchObject({ state: 'queued', attempts: 0, lease_owner: null })
    start(context, (_row, held) => held.finish(() => Promise.resolve({})))
    await expect.poll(() => readScan(context, id)).toMatchObject({ state: 'completed' })
  })

  test('a long job keeps its lease', async () => {
    const context = openTestContext(await open())
    const { projectId } = await addProject(context)
    const id = await addScan(context, projectId)
    let begun = 0
    const leaseMs = 4000 // A slow machine renews it in time.
    const run: JobKind<'scans'>['run'] = async (_row, held) => {
      begun++
      await pause(1.5 * leaseMs)
      await held.finish(() => Promise.resolve({}))
    }
    start(context, run, { leaseMs })
    start(openTestContext(await open()), run, { leaseMs })
    await expect.poll(() => readScan(context, id)).toMatchObject({ state: 'completed', attempts: 1 })
    expect(begun).toBe(1)
  })

  test('who lost the lease changes nothing any more', async () => {
    const context = openTestContext(await open())
    const { projectId } = await addProject(context)
    const id = await addScan(context, projectId)
    const { promise: frozen, resolve: thaw } = Promise.withResolvers<void>()
    const finish: JobKind<'scans'>['run'] = (_row, held) => held.finish(() => Promise.resolve({ tables: 2 }))
    let late: unknown
    let begun = 0
    start(
      context,
      async (row, held) => {
        // Either process may take over, this one too.
        if (begun++ > 0) return await finish(row, held)
        await frozen
        late = await held.finish(() => Promise.resolve({ tables: 1 })).catch((error: unknown) => error)
      },
      { concurrency: 1 },
    )
    await expect.poll(() => readScan(context, id)).toMatchObject({ state: 'running' })
    await context.store.db
      .updateTable('scans')
      .set({ lease_until: 1, lease_owner: 'frozen' })
      .where('id', '=', id)
      .execute()
    const other = openTestContext(await open())
    start(other, finish)
    await expect.poll(() => readScan(context, id)).toMatchObject({ state: 'completed', tables: 2 })
    thaw()
    await expect.poll(() => late).toMatchObject({ name: 'LeaseLost' })
    expect(await readScan(context, id)).toMatchObject({ state: 'completed', tables: 2 })
  })

  test('a job whose process ended again and again is failed', async () => {
    const context = openTestContext(await open())
    const { projectId } = await addProject(context)
    const id = await addScan(context, projectId)
    await context.store.db
      .updateTable('scans')
      .set({ state: 'running', attempts: 3, lease_owner: 'gone', lease_until: 1 })
      .where('id', '=', id)
      .execute()
    start(context, () => Promise.reject(new Error('it is not begun')))
    await expect.poll(() => readScan(context, id)).toMatchObject({ state: 'failed' })
    expect((await readScan(context, id)).error).toContain('worker process died 3 times')
  })
})
