import { join } from 'node:path'
import type { PushResource } from '@stagecraft/spec/api'
import { expect, onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import {
  makeFolder,
  makeRepository,
  runTestGit,
  type TestRepository,
} from '../../packages/service/src/git/testing/repositories.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { openStore } from '../../packages/service/src/store/open-store.ts'
import { openShop, type Shop } from '../service/open-shop.ts'
import { callOf } from '../service/open-test-context.ts'
import { type Dbt, runDbt, writeProject } from './dbt.ts'
import { testWithDbt } from './with-dbt.ts'

const FOLDER = 'models/staging/main'
const model = (table: string): string => `${FOLDER}/stg_main__${table}.sql`

interface Project {
  readonly shop: Shop
  readonly repository: TestRepository
  readonly remove: (table: string) => Promise<void>
  readonly push: (more?: object) => Promise<PushResource>
  /** Lets dbt read what the branch has. */
  readonly parse: (branch?: string) => Promise<void>
}

async function openProject(dbt: Dbt): Promise<Project> {
  const repository = makeRepository(onTestFinished)
  repository.commit({ 'README.md': 'of a human\n' })
  const shop = await openShop(async () => {
    const store = await openStore({
      migrations: MIGRATIONS,
      file: join(makeFolder(onTestFinished), 'store.db'),
    })
    onTestFinished(() => store.close())
    return store
  })
  const { caller, handlers } = shop
  const body = { dialect: 'duckdb', git: { remote: repository.folder } }
  await handlers.updateProject(callOf(caller, { params: { projectId: caller.projectId }, body }))
  shop.work()
  for (const table of ['orders', 'customers', 'payments'])
    await shop.generate(`main.${table}`, { options: { addTests: true } })
  return { shop, repository, ...actionsOf(shop, repository, dbt) }
}

function actionsOf(
  { caller, handlers }: Shop,
  repository: TestRepository,
  dbt: Dbt,
): Pick<Project, 'remove' | 'push' | 'parse'> {
  const get = async (pushId: string) => (await handlers.getPush(callOf(caller, { params: { pushId } }))).data
  return {
    async remove(table) {
      const { data } = await handlers.listUnits(
        callOf(caller, { query: { limit: 9, source: `main.${table}` } }),
      )
      await handlers.deleteUnit(callOf(caller, { params: { unitId: data.items[0]?.id } }))
    },
    async push(more = {}) {
      const body = { branch: 'main', message: 'Staging models', ...more }
      const { id } = (await handlers.createPush(callOf(caller, { body }))).data
      await expect.poll(async () => (await get(id)).state, { timeout: 120_000 }).toBe('completed')
      return await get(id)
    },
    async parse(branch = 'main') {
      const folder = makeFolder(onTestFinished)
      runTestGit(folder, ['clone', '-q', '-b', branch, repository.folder, '.'])
      await writeProject(folder, { type: 'duckdb', path: join(folder, 'x.duckdb') })
      const { code, output } = await runDbt(dbt, folder, ['parse'])
      expect(code, output).toBe(0)
    },
  }
}

async function deleteAndPush(dbt: Dbt): Promise<void> {
  const { parse, push, remove, repository, shop } = await openProject(dbt)
  await push()
  await parse()
  // A mart of ours, and an edit of each kind of file.
  repository.commit({ 'models/marts/paid.sql': `select * from {{ ref('stg_main__payments') }}\n` })
  repository.commit({ [model('orders')]: `${repository.read(model('orders'))}-- mine\n` })
  await remove('orders')
  await remove('payments')
  expect(await push()).toMatchObject({
    kept: [
      { path: model('orders'), reason: 'changed' },
      { path: model('payments'), reason: 'needed' },
    ],
  })
  await parse()
  await shop.generate('main.orders', { options: { addTests: true } })
  await push({ overwrite: true })
  await parse()
  repository.commit({ 'models/marts/paid.sql': undefined })
  expect(await push()).toMatchObject({ removed: [model('payments')] })
  await parse()
  await push({ branch: 'next' })
  await remove('customers')
  await push({ branch: 'next' })
  await parse('next')
}

async function deleteAll(dbt: Dbt): Promise<void> {
  const { parse, push, remove, repository } = await openProject(dbt)
  await push()
  const yaml = `${FOLDER}/_main__models.yml`
  // Properties of models that go: a person's, so that they stay.
  repository.commit({ [yaml]: `${repository.read(yaml)}# mine\n` })
  const extra = {
    exposures: [
      {
        name: 'x',
        type: 'notebook',
        owner: { name: 'a', email: 'a@b.c' },
        depends_on: ["source('main', 'orders')"],
      },
    ],
  }
  repository.commit({ 'models/marts/x.yml': stringify(extra) })
  for (const table of ['orders', 'customers', 'payments']) await remove(table)
  await push()
  await parse()
}

for (const name of ['dbt-1', 'dbt-2'] as const) {
  testWithDbt(
    'a project stays whole when units are deleted and pushed, as read by',
    name,
    deleteAndPush,
    900_000,
  )
  testWithDbt('a project stays whole when all units are deleted, as read by', name, deleteAll, 900_000)
}
