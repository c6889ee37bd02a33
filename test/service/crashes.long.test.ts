import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { makeRepository } from '../../packages/service/src/git/testing/repositories.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { repositoryPath } from '../paths.ts'
import { generateWith } from './generate-with.ts'
import { describeEachStore } from './each-store.ts'
import { createGate, gatedBackend } from './gated-backend.ts'
import { makeTestFolder, makeWarehouse, openShop, type Shop } from './open-shop.ts'
import { callOf } from './open-test-context.ts'
import type { WorkerSettings } from './worker-process.ts'

const LEASE_MS = 400

/** A worker in a process of its own; calling it ends that as a power cut does. */
function startWorker(settings: Omit<WorkerSettings, 'leaseMs'>): () => Promise<void> {
  const file = repositoryPath('test/service/worker-process.ts')
  const text = JSON.stringify({ ...settings, leaseMs: LEASE_MS } satisfies WorkerSettings)
  const child = spawn(process.execPath, [file, text], { stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  return kill
}

async function createBatch({ caller, handlers }: Shop): Promise<string> {
  return (await handlers.createGeneration(callOf(caller, { body: {} }))).data.id
}

async function getGeneration({ caller, handlers }: Shop, generationId: string) {
  return (await handlers.getGeneration(callOf(caller, { params: { generationId } }))).data
}

async function expectOneEndEach(shop: Shop, units: readonly string[]): Promise<void> {
  const events = await shop.events()
  for (const id of units) {
    const own = events.filter(({ data }) => data['unit_id'] === id).map(({ event }) => event)
    expect(own).toEqual(['unit.created', 'generation.started', 'generation.completed'])
  }
}

function manyTables(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `t${String(index).padStart(3, '0')}`)
}

async function openLargeShop(open: Parameters<typeof openShop>[0], count: number, settings = {}) {
  const tables = manyTables(count)
  const warehouse = makeWarehouse(
    tables.map((name) => `create table ${name} (id integer primary key, name text);`).join(''),
  )
  const shop = await openShop(open, { warehouse, settings })
  const units: string[] = []
  for (const name of tables) units.push(await shop.addUnit(`main.${name}`))
  return { shop, units }
}

await describeEachStore('processes that end in the midst', MIGRATIONS, (open, place) => {
  test('a batch goes on where it was, and asks no backend twice', async () => {
    const gate = createGate()
    const backend = gatedBackend(gate)
    const { shop, units } = await openLargeShop(open, 8, { llm: { backend, onFailure: 'fallback' } })
    const id = await createBatch(shop)
    const kill = startWorker({ place, answers: 3 })
    const countEdited = async (): Promise<number> => {
      const rows = await shop.context.store.db
        .selectFrom('generations')
        .select('id')
        .where('item', 'is not', null)
        .execute()
      return rows.length
    }
    await expect.poll(countEdited).toBe(3)
    await kill()
    gate.open()
    shop.work({ leaseMs: LEASE_MS })
    await expect.poll(async () => (await getGeneration(shop, id)).state).toBe('completed')
    expect(await getGeneration(shop, id)).toMatchObject({ units: { total: 8, completed: 8, failed: 0 } })
    expect(backend.asked()).toBe(5)
    await expectOneEndEach(shop, units)
  })

  test(
    'a batch whose workers die at random moments is done, each unit once',
    { timeout: 90_000 },
    async () => {
      const { shop, units } = await openLargeShop(open, 100)
      const id = await createBatch(shop)
      const countDone = async (): Promise<number> => (await getGeneration(shop, id)).units?.completed ?? 0
      const cuts: number[] = []
      for (let done = 0; cuts.length < 3 && done < units.length; done = await countDone()) {
        const kill = startWorker({ place })
        await expect.poll(countDone, { interval: 2 }).toBeGreaterThan(done)
        await pause(cuts.length * 10 * Math.random())
        await kill()
        cuts.push(await countDone())
      }
      expect(cuts[0]).toBeLessThan(units.length)
      shop.work({ leaseMs: LEASE_MS, maxAttempts: 1000 })
      await expect.poll(async () => (await getGeneration(shop, id)).state).toBe('completed')
      expect(await getGeneration(shop, id)).toMatchObject({ units: { total: 100, completed: 100 } })
      await expectOneEndEach(shop, units)
    },
  )

  test('a push that landed before its process ended is known again', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ 'README.md': 'of a human\n' })
    const landed = join(makeTestFolder(), 'landed')
    repository.hook('post-receive', `#!/bin/sh\ntest -e ${landed} || { touch ${landed}; sleep 3; }\n`)
    const shop = await openShop(open)
    const { caller, handlers } = shop
    const body = { git: { remote: repository.folder } }
    await handlers.updateProject(callOf(caller, { params: { projectId: caller.projectId }, body }))
    await shop.generate('main.orders')
    const { data } = await handlers.createPush(
      callOf(caller, { body: { branch: 'stagecraft', message: 'Staging models' } }),
    )
    const kill = startWorker({ place })
    await expect.poll(() => existsSync(landed)).toBe(true)
    await kill()
    // What it is made from changed meanwhile, which is for the next push to send.
    await generateWith(shop, { leadingCommas: true })
    shop.work({ leaseMs: LEASE_MS })
    const read = async () => (await handlers.getPush(callOf(caller, { params: { pushId: data.id } }))).data
    await expect.poll(async () => (await read()).state).toMatch(/^(?:completed|failed)$/)
    const push = await read()
    expect(push).toMatchObject({ state: 'completed', outcome: 'pushed' })
    expect(push.commit).toBe(repository.git('rev-parse', 'stagecraft').trim())
    const pushed = (await shop.events()).filter(({ event }) => event === 'push.completed')
    expect(pushed).toMatchObject([{ data: { push_id: data.id, commit: push.commit } }])
    const again = await handlers.createPush(
      callOf(caller, { body: { branch: 'stagecraft', message: 'Staging models' } }),
    )
    const readAgain = async () =>
      (await handlers.getPush(callOf(caller, { params: { pushId: again.data.id } }))).data
    await expect.poll(async () => (await readAgain()).outcome).toBe('pushed')
  })
})
