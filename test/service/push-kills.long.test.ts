import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { makeRepository, type TestRepository } from '../../packages/service/src/git/testing/repositories.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { repositoryPath } from '../paths.ts'
import { describeEachStore, type StorePlace } from './each-store.ts'
import { generateWith } from './generate-with.ts'
import { makeTestFolder, openShop, type Shop } from './open-shop.ts'
import { callOf } from './open-test-context.ts'
import type { WorkerSettings } from './worker-process.ts'

/** Long enough for a slow machine to show that it is alive. */
const LEASE_MS = 3000
const PUSHES = 20
const KILLS = 10

/** A worker in a process of its own; calling it ends that as a power cut does. */
function startWorker(place: StorePlace, folder: string): () => Promise<void> {
  const settings: WorkerSettings = { place, leaseMs: LEASE_MS, folder }
  const parameters = [repositoryPath('test/service/worker-process.ts'), JSON.stringify(settings)]
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  return kill
}

async function addPushes(shop: Shop): Promise<readonly string[]> {
  const ids: string[] = []
  for (let index = 0; index < PUSHES; index += 1) {
    // Each has something to change.
    await generateWith(shop, { leadingCommas: index % 2 === 0 })
    const body = { branch: 'stagecraft', message: `Push ${index}` }
    ids.push((await shop.handlers.createPush(callOf(shop.caller, { body }))).data.id)
  }
  return ids
}

/** Lets the leases of a process that has died run out soon: its git may go on a little longer, as it may behind a network. */
async function expireLeases({ context: { store } }: Shop): Promise<void> {
  const soon = (await store.now()) + 500
  await store.db
    .updateTable('pushes')
    .set({ lease_until: soon })
    .where('state', '=', 'running')
    .where('lease_until', '>', soon)
    .execute()
}

const countCommits = (repository: TestRepository): number =>
  Number(repository.git('rev-list', '--count', '--all', '--grep=Stagecraft-Push'))

await describeEachStore('pushes whose processes are killed', MIGRATIONS, (open, place) => {
  test.for([
    ['other files', { 'README.md': 'of a human\n' }],
    ['a dbt project in a folder', { 'warehouse/dbt_project.yml': 'name: shop\n' }],
  ] as const)(
    'arrive once each, in order, and are told once each, though others commit on top: a branch with %s',
    { timeout: 900_000 },
    async ([, files]) => {
      const repository = makeRepository(onTestFinished)
      repository.commit(files)
      // Also right after git has taken a commit and before it could say so.
      repository.hook('post-receive', 'sleep 0.3')
      const shop = await openShop(open)
      const { projectId } = shop.caller
      const body = { git: { remote: repository.folder } }
      await shop.handlers.updateProject(callOf(shop.caller, { params: { projectId }, body }))
      await shop.generate('main.orders')
      const ids = await addPushes(shop)
      const folder = makeTestFolder()
      for (let kill = 0; kill < KILLS; kill += 1) {
        const before = countCommits(repository)
        const end = startWorker(place, folder)
        if (kill % 2 === 0) {
          await expect
            .poll(() => countCommits(repository), { timeout: 120_000, interval: 5 })
            .toBeGreaterThan(before)
        } else await pause(800 + 800 * Math.random())
        await end()
        await expireLeases(shop)
        const branches = repository.git('branch', '--list', 'stagecraft')
        if (branches !== '') repository.commit({ [`human-${kill}.md`]: `${kill}` }, 'stagecraft')
      }
      shop.work({ leaseMs: LEASE_MS, maxAttempts: 100 })
      const states = async () =>
        (await shop.context.store.db.selectFrom('pushes').select(['state']).execute()).map(
          ({ state }) => state,
        )
      await expect.poll(states, { timeout: 300_000 }).toEqual(Array(PUSHES).fill('completed'))
      const log = repository.git('log', '--reverse', '--format=%s', '--grep=Stagecraft-Push', 'stagecraft')
      expect(log.split('\n')).toEqual(ids.map((_, index) => `Push ${index}`))
      const told = (await shop.events()).filter(({ event }) => event === 'push.completed')
      expect(told.map(({ data }) => data['push_id'])).toEqual(ids)
      const commits = repository.git(
        'log',
        '--reverse',
        '--format=%H',
        '--grep=Stagecraft-Push',
        'stagecraft',
      )
      expect(told.map(({ data }) => data['commit'])).toEqual(commits.split('\n'))
      await expect.poll(() => readdirSync(folder), { timeout: 60_000 }).toEqual([])
    },
  )
})
