import { createClient } from '@stagecraft/client'
import { expect, onTestFinished, test } from 'vitest'
import type { ServiceContext } from '../../packages/service/src/context.ts'
import { newGeneration } from '../../packages/service/src/generations/batch-members.ts'
import { pruneGenerations } from '../../packages/service/src/generations/old-generations.ts'
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import { jobsOf } from './jobs-of.ts'
import { makeWarehouse } from './open-shop.ts'
import { openTestContext } from './open-test-context.ts'
import { addProjectWithKey, serveContext } from './serve-context.ts'

async function openShop(context: ServiceContext) {
  const { url } = await serveContext(context)
  const { projectId, secret } = await addProjectWithKey(context)
  const client = createClient({ baseUrl: url, apiKey: secret, projectId })
  await client.connections.create({ name: 'shop', catalog: `sqlite:${makeWarehouse()}` })
  const jobs = runJobs(context, jobsOf(context), { pollMs: 20 })
  onTestFinished(() => jobs.stop())
  const unit = await client.units.create({ type: 'staging', source: 'main.orders' })
  const generate = async () =>
    (await client.generations.wait((await client.generations.create({ unitId: unit.id })).id)).id
  return { client, generate, projectId, unit }
}

await describeEachStore('generations of a unit', MIGRATIONS, (open) => {
  test('are compared, and deleted unless they are needed', async () => {
    const { client, generate, unit } = await openShop(openTestContext(await open()))
    const first = await generate()
    const alone = await client.generations.diff(first)
    expect(alone.from).toBeUndefined()
    expect(new Set(alone.files.map(({ change }) => change))).toEqual(new Set(['added']))
    await client.units.update(unit.id, { options: { addTests: true } })
    const second = await generate()
    const { files, from, to } = await client.generations.diff(second)
    expect([from?.id, to.id]).toEqual([first, second])
    const changed = files.filter(({ change }) => change === 'changed')
    expect(files.filter(({ change }) => change === 'unchanged').map(({ diff }) => diff)).toContain('')
    expect(changed).toHaveLength(1)
    expect(changed[0]?.diff).toMatch(/^--- a\/(.*_models\.yml)\n\+\+\+ b\/\1\n@@ /m)
    expect(changed[0]?.added).toBe(changed[0]?.diff.match(/^\+(?!\+\+ )/gm)?.length)
    const back = await client.generations.diff(first, { with: second })
    expect(back.files.map(({ added, removed }) => [removed, added])).toEqual(
      files.map(({ added, removed }) => [added, removed]),
    )
    const refused = { code: 'INVALID_REQUEST' }
    await expect(client.generations.delete(second)).rejects.toMatchObject(refused)
    await client.generations.delete(first)
    await expect(client.generations.get(first)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(client.generations.diff(second, { with: first })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect((await client.generations.diff(second)).from).toBeUndefined()
    const batch = await client.generations.wait((await client.generations.create()).id)
    await expect(client.generations.diff(batch.id)).rejects.toMatchObject(refused)
    await expect(client.generations.delete(batch.id)).rejects.toMatchObject(refused)
  })

  test('are kept as many as the project says, and the newest completed one always', async () => {
    const context = openTestContext(await open())
    const { client, generate, projectId, unit } = await openShop(context)
    const completed = await generate()
    await client.projects.update(projectId, { keepGenerations: 50 })
    const { db } = context.store
    const now = await context.store.now()
    const batch = newGeneration(
      { id: context.ids.next('gen'), kind: 'project', columns: 'live', project_id: projectId },
      now,
    )
    await db
      .insertInto('generations')
      .values({ ...batch, state: 'failed' })
      .execute()
    const rows = Array.from({ length: 260 }, () => ({
      ...newGeneration(
        {
          id: context.ids.next('gen'),
          kind: 'unit',
          columns: 'live',
          project_id: projectId,
          unit_id: unit.id,
        },
        now,
      ),
      state: 'failed' as const,
      batch_id: batch.id,
    }))
    await db.insertInto('generations').values(rows).execute()
    await pruneGenerations(context)
    const left = await client.generations.list({ unitId: unit.id, limit: 200 }).all()
    expect(left).toHaveLength(51)
    expect(left.at(-1)?.id).toBe(completed)
    expect(left[0]?.id).toBe(rows.at(-1)?.id)
    expect(await client.generations.get(batch.id)).toMatchObject({ units: { total: 50 } })
    await db.deleteFrom('generations').where('batch_id', '=', batch.id).execute()
    await pruneGenerations(context)
    await expect(client.generations.get(batch.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await client.projects.update(projectId, { keepGenerations: null })
    expect((await client.projects.get(projectId)).keepGenerations).toBeUndefined()
    expect(await client.units.get(unit.id)).toMatchObject({ lastGenerationId: completed })
  })
})
