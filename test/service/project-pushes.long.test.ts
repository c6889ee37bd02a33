import { DatabaseSync } from 'node:sqlite'
import { parseLock } from '@stagecraft/dbt'
import { expect, onTestFinished, test } from 'vitest'
import { makeRepository, type TestRepository } from '../../packages/service/src/git/testing/repositories.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import { openShop, type Shop } from './open-shop.ts'
import { callOf } from './open-test-context.ts'
import { createPush, deleteUnit, openShopWithGit, unitOf, untilEnded } from './push-shop.ts'

const FOLDER = 'models/staging/main'
const ORDERS = `${FOLDER}/stg_main__orders.sql`
const PROJECT = { 'dbt_project.yml': 'name: shop\n' }
const SOURCES = `version: 2

sources:
  - name: main # of the shop
    description: 'By hand'
    tables:
      - name: customers
        description: Ours.
`

const within = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))

function changeWarehouse({ warehouse }: Shop, statements: string): void {
  const database = new DatabaseSync(warehouse)
  database.exec(statements)
  database.close()
}

const OPTIONS = { options: { addTests: true, addDocs: true } }

async function generateAll(
  shop: Shop,
  tables = ['orders', 'customers', 'payments'],
  more: object = OPTIONS,
): Promise<void> {
  for (const table of tables) await shop.generate(`main.${table}`, more)
}

/** Changes a file of the pushed branch as a person would. */
function edit(repository: TestRepository, path: string, [from, to]: readonly [string, string]): void {
  const text = repository.read(path, 'stagecraft')
  expect(text).toContain(from)
  repository.commit({ [path]: text.replace(from, to) }, 'stagecraft')
}

const pathsOf = (repository: TestRepository, branch = 'stagecraft'): readonly string[] =>
  repository.git('ls-tree', '-r', '--name-only', branch).split('\n')

const lockOf = (repository: TestRepository, path = 'stagecraft.lock', branch = 'stagecraft') =>
  parseLock(repository.read(path, branch))

await describeEachStore('pushes to a dbt project', MIGRATIONS, (open) => {
  test('use the sources and models that are there, in a subfolder, and merge what people change', async () => {
    const files = within('warehouse', {
      ...PROJECT,
      'models/raw.yml': SOURCES,
      'models/crm/clients.sql': "select * from {{ source('main', 'customers') }} -- mine\n",
    })
    const { repository, shop } = await openShopWithGit(open, { files })
    await generateAll(shop)
    shop.work()
    const first = await untilEnded(shop, await createPush(shop))
    expect(first).toMatchObject({ state: 'completed', outcome: 'pushed', plan: { folder: 'warehouse' } })
    expect(first.skipped).toEqual([
      {
        path: 'warehouse/models/crm/clients.sql',
        name: 'the model clients',
        definedIn: 'warehouse/models/crm/clients.sql',
        outcome: 'used',
      },
    ])
    expect(pathsOf(repository)).toEqual([
      'warehouse/.gitattributes',
      'warehouse/dbt_project.yml',
      'warehouse/models/crm/clients.sql',
      'warehouse/models/raw.yml',
      `warehouse/${FOLDER}/_main__models.yml`,
      `warehouse/${ORDERS}`,
      `warehouse/${FOLDER}/stg_main__payments.sql`,
      'warehouse/stagecraft.lock',
    ])
    // Nothing that a person wrote is another: the rest of the file stands before and behind it.
    expect(repository.read('warehouse/models/raw.yml', 'stagecraft').startsWith(SOURCES.trimEnd())).toBe(true)
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({ outcome: 'unchanged' })
    edit(repository, `warehouse/${ORDERS}`, ['        total\n', '        round(total, 1) as total -- mine\n'])
    changeWarehouse(shop, 'alter table orders add column tax numeric')
    await generateAll(shop)
    const second = await untilEnded(shop, await createPush(shop))
    expect(second.conflicts).toBeUndefined()
    expect(second.plan).toMatchObject({
      counts: { create: 0, remove: 0, conflict: 0 },
      tables: [
        { source: 'main.customers', model: 'clients' },
        { source: 'main.orders', drifts: [{ kind: 'added', column: 'tax' }] },
      ],
    })
    const sql = repository.read(`warehouse/${ORDERS}`, 'stagecraft')
    expect(sql).toContain('        round(total, 1) as total, -- mine\n        tax\n')
    const diff = second.plan?.files.find(({ path }) => path === `warehouse/${ORDERS}`)?.diff
    expect(diff).toContain('+        tax')
    const { items } = (await shop.handlers.listPushes(callOf(shop.caller, {}))).data
    expect(items.every((push) => !('plan' in push))).toBe(true)
  })

  test('leave a file in conflict as it is, say so, and push the rest', async () => {
    const { repository, shop } = await openShopWithGit(open, { files: PROJECT })
    await generateAll(shop)
    shop.work()
    await untilEnded(shop, await createPush(shop))
    edit(repository, ORDERS, ['        total\n', '        total * 2 as total\n'])
    const before = repository.read(ORDERS, 'stagecraft')
    changeWarehouse(shop, 'alter table orders drop column total; alter table payments add column fee integer')
    await generateAll(shop)
    const push = await untilEnded(shop, await createPush(shop))
    expect(push).toMatchObject({
      outcome: 'pushed',
      conflicts: [
        {
          path: ORDERS,
          reasons: ['column total is gone from the table, and was changed by hand: total * 2 as total'],
        },
      ],
    })
    expect(repository.read(ORDERS, 'stagecraft')).toBe(before)
    expect(repository.read(`${FOLDER}/stg_main__payments.sql`, 'stagecraft')).toContain('fee')
    // It stays open, and nothing more is to be pushed.
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({
      outcome: 'unchanged',
      conflicts: [{ path: ORDERS }],
    })
    const settled = await untilEnded(shop, await createPush(shop, { overwrite: true }))
    expect(settled).toMatchObject({ outcome: 'pushed' })
    expect(settled.conflicts).toBeUndefined()
    expect(repository.read(ORDERS, 'stagecraft')).not.toContain('total')
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({ outcome: 'unchanged' })
  })

  test('merge what the configuration changes into a model that a person changed', async () => {
    const { repository, shop } = await openShopWithGit(open, { files: PROJECT })
    await generateAll(shop, ['orders'])
    shop.work()
    await untilEnded(shop, await createPush(shop))
    edit(repository, ORDERS, ['select * from renamed', 'select * from renamed where order_id > 0 -- mine'])
    const config = { naming: { renames: { total: 'order_total' } } }
    const { projectId } = shop.caller
    await shop.handlers.updateProject(callOf(shop.caller, { params: { projectId }, body: { config } }))
    await generateAll(shop, ['orders'])
    const push = await untilEnded(shop, await createPush(shop))
    expect(push).toMatchObject({ outcome: 'pushed', plan: { counts: { merge: 1 } } })
    expect(repository.read(ORDERS, 'stagecraft')).toContain('        total as order_total\n')
    expect(repository.read(ORDERS, 'stagecraft')).toContain('where order_id > 0 -- mine')
    expect(repository.read(`${FOLDER}/_main__models.yml`, 'stagecraft')).toContain('- name: order_total')
  })

  test('overwrite a model that a person changed though generation did not', async () => {
    const { repository, shop } = await openShopWithGit(open, { files: PROJECT })
    await generateAll(shop)
    shop.work()
    await untilEnded(shop, await createPush(shop))
    const before = repository.read(ORDERS, 'stagecraft')
    repository.commit({ [ORDERS]: `${before}-- mine\n` }, 'stagecraft')
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({ outcome: 'unchanged' })
    expect(await untilEnded(shop, await createPush(shop, { overwrite: true }))).toMatchObject({
      files: [{ path: ORDERS, change: 'changed' }],
    })
    expect(repository.read(ORDERS, 'stagecraft')).toBe(before)
  })

  test('leave out a model whose source cannot be declared', async () => {
    const files = { ...PROJECT, 'models/raw.yml': `${SOURCES}  bad: [\n` }
    const { repository, shop } = await openShopWithGit(open, {
      files: { ...files, [`${FOLDER}/_main__sources.yml`]: 'sources: [\n' },
    })
    await generateAll(shop, ['orders'])
    shop.work()
    const push = await untilEnded(shop, await createPush(shop))
    expect(push).toMatchObject({ state: 'completed', skipped: [{ path: ORDERS, outcome: 'refused' }] })
    expect(pathsOf(repository, 'main')).not.toContain(ORDERS)
  })

  test('go on from what was pushed before there was a dbt project in the branch', async () => {
    const { repository, shop } = await openShopWithGit(open)
    await generateAll(shop)
    shop.work()
    await untilEnded(shop, await createPush(shop))
    expect(pathsOf(repository)).not.toContain('stagecraft.lock')
    repository.commit(PROJECT, 'stagecraft')
    edit(repository, ORDERS, ['        total\n', '        total -- mine\n'])
    await deleteUnit(shop, 'main.payments')
    changeWarehouse(shop, 'alter table customers add column city text')
    await generateAll(shop, ['customers'])
    const push = await untilEnded(shop, await createPush(shop))
    expect(push).toMatchObject({ outcome: 'pushed', removed: [`${FOLDER}/stg_main__payments.sql`] })
    expect(push.conflicts).toBeUndefined()
    expect(repository.read(ORDERS, 'stagecraft')).toContain('-- mine')
    expect(repository.read(`${FOLDER}/stg_main__customers.sql`, 'stagecraft')).toContain('city')
    for (const file of ['_main__models.yml', '_main__sources.yml']) {
      expect(repository.read(`${FOLDER}/${file}`, 'stagecraft')).not.toContain('payments')
      expect(repository.read(`${FOLDER}/${file}`, 'stagecraft')).toContain('city')
    }
    expect([...lockOf(repository).keys()]).toEqual(['main.customers', 'main.orders'])
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({ outcome: 'unchanged' })
    changeWarehouse(shop, 'alter table orders add column tax numeric')
    await generateAll(shop, ['orders'])
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({ outcome: 'pushed' })
    expect(repository.read(ORDERS, 'stagecraft')).toMatch(/total, -- mine\n +tax\n/)
  })

  test('a part of what was pushed before there was a lock leaves the other models as they are', async () => {
    const { repository, shop } = await openShopWithGit(open)
    await generateAll(shop)
    shop.work()
    await untilEnded(shop, await createPush(shop))
    repository.commit(PROJECT, 'stagecraft')
    changeWarehouse(
      shop,
      'alter table orders add column tax numeric; alter table customers add column city text',
    )
    await generateAll(shop)
    const unitIds = [await unitOf(shop, 'main.orders')]
    expect(await untilEnded(shop, await createPush(shop, { unitIds }))).toMatchObject({ outcome: 'pushed' })
    expect(repository.read(ORDERS, 'stagecraft')).toContain('tax')
    expect(repository.read(`${FOLDER}/stg_main__customers.sql`, 'stagecraft')).not.toContain('city')
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({ outcome: 'pushed' })
    expect(repository.read(`${FOLDER}/stg_main__customers.sql`, 'stagecraft')).toContain('city')
  })

  test('remove what belonged to deleted units, and nothing that others need or changed', async () => {
    const { repository, shop } = await openShopWithGit(open, { files: PROJECT })
    await generateAll(shop, undefined, {})
    shop.work()
    await untilEnded(shop, await createPush(shop))
    const payments = `${FOLDER}/stg_main__payments.sql`
    const customers = `${FOLDER}/stg_main__customers.sql`
    repository.commit(
      {
        'models/marts/paid.sql': "select * from {{ ref('stg_main__payments') }}\n",
        'models/marts/raw.sql': "select * from {{ source('main', 'orders') }}\n",
        [customers]: `${repository.read(customers, 'stagecraft')}-- mine\n`,
      },
      'stagecraft',
    )
    for (const table of ['orders', 'customers', 'payments']) await deleteUnit(shop, `main.${table}`)
    const push = await untilEnded(shop, await createPush(shop))
    expect(push).toMatchObject({ outcome: 'pushed', removed: [ORDERS] })
    expect(push.kept?.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: customers, reason: 'changed' },
      { path: payments, reason: 'needed' },
    ])
    const sources = repository.read(`${FOLDER}/_main__sources.yml`, 'stagecraft')
    for (const table of ['orders', 'customers', 'payments']) expect(sources).toContain(`name: ${table}`)
    expect(repository.read(`${FOLDER}/_main__models.yml`, 'stagecraft')).not.toContain(
      'name: stg_main__orders',
    )
    expect([...lockOf(repository).keys()]).toEqual(['main.customers', 'main.orders', 'main.payments'])
    repository.commit({ 'models/marts/paid.sql': undefined, 'models/marts/raw.sql': undefined }, 'stagecraft')
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({ removed: [payments] })
    expect(repository.read(`${FOLDER}/_main__sources.yml`, 'stagecraft')).not.toContain('name: orders')
    expect([...lockOf(repository).keys()]).toEqual(['main.customers'])
  })

  test('are for the project that is named, where there are several', async () => {
    const files = { ...within('a', PROJECT), ...within('b', PROJECT), ...within('a/dbt_packages/x', PROJECT) }
    const { repository, shop } = await openShopWithGit(open, { files })
    await generateAll(shop, ['orders'])
    shop.work()
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({
      state: 'failed',
      error: {
        code: 'INVALID_REQUEST',
        message:
          'git.path: expected the folder of the dbt project, got none; set git.path of the project to one of: a, b',
        details: { reason: 'several_projects', folders: ['a', 'b'] },
      },
    })
    const { projectId } = shop.caller
    const choose = async (path: string): Promise<void> => {
      const body = { git: { remote: repository.folder, path } }
      await shop.handlers.updateProject(callOf(shop.caller, { params: { projectId }, body }))
    }
    await choose('c')
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({
      state: 'failed',
      error: { details: { reason: 'no_project', folders: ['a', 'b'] } },
    })
    await choose('b')
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({ outcome: 'pushed' })
    expect(pathsOf(repository)).toContain(`b/${ORDERS}`)
  })

  test('are for the project that the generated files lie in', async () => {
    const files = { ...within('a', PROJECT), ...within('b', PROJECT) }
    const { repository, shop } = await openShopWithGit(open, { files })
    const { projectId } = shop.caller
    const folder = 'b/models/staging/{source}'
    const config = { naming: { types: { staging: { folder } }, sourcesFolder: folder } }
    await shop.handlers.updateProject(callOf(shop.caller, { params: { projectId }, body: { config } }))
    await generateAll(shop, ['orders'])
    shop.work()
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({ outcome: 'pushed' })
    expect(pathsOf(repository)).toContain(`b/${ORDERS}`)
    expect(lockOf(repository, 'b/stagecraft.lock').get('main.orders')?.model.path).toBe(ORDERS)
  })

  test.for([
    ['a dbt project', PROJECT],
    ['other files', { 'README.md': 'x\n' }],
  ] as const)(
    'that only plan keep the plan, and commit and tell nothing: a branch with %s',
    async ([, files]) => {
      const { repository, shop } = await openShopWithGit(open, { files })
      await generateAll(shop, ['orders'])
      shop.work()
      const push = await untilEnded(shop, await createPush(shop, { dryRun: true }))
      expect(push).toMatchObject({ state: 'completed', outcome: 'planned', dryRun: true })
      expect(push.plan?.counts).toMatchObject({ create: 3 })
      expect(push.plan?.files.find(({ path }) => path === ORDERS)).toMatchObject({
        action: 'create',
        changes: true,
        diff: expect.stringContaining('+        id as order_id,'),
      })
      expect([push.files, push.commit]).toEqual([undefined, undefined])
      expect(repository.git('branch', '--list', 'stagecraft')).toBe('')
      const told = async () => (await shop.events()).filter(({ event }) => event === 'push.completed')
      expect(await told()).toEqual([])
      expect(await shop.context.store.db.selectFrom('pushed_files').select('path').execute()).toEqual([])
      expect(await untilEnded(shop, await createPush(shop))).toMatchObject({ outcome: 'pushed' })
      const again = await untilEnded(shop, await createPush(shop, { dryRun: true }))
      expect(again).toMatchObject({ outcome: 'planned', plan: { counts: { create: 0, unchanged: 3 } } })
      expect(await told()).toHaveLength(1)
    },
  )

  test('of two projects to one branch keep what each has', async () => {
    const { repository, shop } = await openShopWithGit(open, { files: PROJECT })
    const other = await openShop(open)
    const body = { git: { remote: repository.folder } }
    const { projectId } = other.caller
    await other.handlers.updateProject(callOf(other.caller, { params: { projectId }, body }))
    await generateAll(shop, ['orders'])
    await generateAll(other, ['customers'])
    shop.work()
    await untilEnded(shop, await createPush(shop))
    expect(await untilEnded(other, await createPush(other))).toMatchObject({ outcome: 'pushed' })
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({ outcome: 'unchanged' })
    expect([...lockOf(repository).keys()]).toEqual(['main.customers', 'main.orders'])
    await deleteUnit(other, 'main.customers')
    expect(await untilEnded(other, await createPush(other))).toMatchObject({
      removed: [`${FOLDER}/stg_main__customers.sql`],
    })
    expect([...lockOf(repository).keys()]).toEqual(['main.orders'])
    expect(repository.read(`${FOLDER}/_main__models.yml`, 'stagecraft')).toContain('stg_main__orders')
  })

  test('do not write where a link or a folder is in the way, nor where a lock leads into git', async () => {
    const { repository, shop } = await openShopWithGit(open, { files: PROJECT })
    await generateAll(shop, ['orders'])
    shop.work()
    repository.commit({ 'models/staging': 'a file' })
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({
      state: 'failed',
      error: { details: { reason: 'path_blocked' } },
    })
    const clean = makeRepository(onTestFinished)
    clean.commit(PROJECT)
    const { projectId } = shop.caller
    const body = { git: { remote: clean.folder } }
    await shop.handlers.updateProject(callOf(shop.caller, { params: { projectId }, body }))
    await untilEnded(shop, await createPush(shop))
    const lock = clean.read('stagecraft.lock', 'stagecraft').replace(ORDERS, '.git/hooks/x.sql')
    clean.commit({ 'stagecraft.lock': lock, [ORDERS]: undefined }, 'stagecraft')
    const head = clean.git('rev-parse', 'stagecraft')
    await untilEnded(shop, await createPush(shop))
    expect(clean.git('ls-tree', '-r', '--name-only', 'stagecraft')).not.toContain('.git/')
    expect(clean.git('rev-list', '--count', `${head}..stagecraft`)).toMatch(/^[01]$/)
  })
})
