import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import { generateWith } from './generate-with.ts'
import { jobsOf } from './jobs-of.ts'
import { createPush, deleteUnit, getPush, openShopWithGit, unitOf, untilEnded } from './push-shop.ts'
import { callOf } from './open-test-context.ts'

const ORDERS = 'models/staging/main/stg_main__orders.sql'

await describeEachStore('pushes in their order, and of what is gone', MIGRATIONS, (open) => {
  test('a push of one unit keeps the others of the branch in the files that they share', async () => {
    const { repository, shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    await shop.generate('main.customers')
    await shop.generate('main.payments')
    shop.work()
    const { data } = await shop.handlers.listUnits(callOf(shop.caller, {}))
    const idOf = (source: string): string => data.items.find((unit) => unit.source === source)?.id ?? ''
    const read = (): string => repository.read('models/staging/main/_main__models.yml', 'stagecraft')
    await untilEnded(shop, await createPush(shop, { unitIds: [idOf('main.orders')] }))
    expect(read()).not.toContain('stg_main__customers')
    await untilEnded(shop, await createPush(shop, { unitIds: [idOf('main.customers')] }))
    expect(read()).toContain('stg_main__orders')
    expect(read()).toContain('stg_main__customers')
    expect(read()).not.toContain('stg_main__payments')
    expect(repository.read('models/staging/main/_main__sources.yml', 'stagecraft')).toContain('name: orders')
  })

  test('a unit that was deleted goes from the branch, with its entries', async () => {
    const { repository, shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    await shop.generate('main.customers')
    shop.work()
    await untilEnded(shop, await createPush(shop))
    await deleteUnit(shop, 'main.orders')
    const push = await untilEnded(shop, await createPush(shop))
    expect(push).toMatchObject({ state: 'completed', outcome: 'pushed', removed: [ORDERS] })
    expect(push.kept).toBeUndefined()
    expect(repository.git('ls-tree', '-r', '--name-only', 'stagecraft')).not.toContain('orders')
    for (const file of ['_main__sources.yml', '_main__models.yml'])
      expect(repository.read(`models/staging/main/${file}`, 'stagecraft')).not.toMatch(
        /name: (?:stg_main__)?orders/,
      )
    // It comes back as any other.
    await shop.generate('main.orders')
    const again = await untilEnded(shop, await createPush(shop))
    expect(again.files).toContainEqual({ path: ORDERS, change: 'added', lines: expect.any(Number) })
    expect(again.removed).toBeUndefined()
  })

  test('what somebody changed stays with its source and properties when its unit is gone, and that is told', async () => {
    const { repository, shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    await shop.generate('main.customers')
    shop.work()
    await untilEnded(shop, await createPush(shop))
    const changed = `${repository.read(ORDERS, 'stagecraft')}-- of a human\n`
    repository.commit({ [ORDERS]: changed }, 'stagecraft')
    await deleteUnit(shop, 'main.orders')
    const push = await untilEnded(shop, await createPush(shop))
    // Its source and its properties stay with it, so that nothing is left to change.
    expect(push).toMatchObject({ outcome: 'unchanged', kept: [{ path: ORDERS, reason: 'changed' }] })
    expect(repository.read(ORDERS, 'stagecraft')).toBe(changed)
    expect(repository.read('models/staging/main/_main__sources.yml', 'stagecraft')).toContain('name: orders')
    expect(repository.read('models/staging/main/_main__models.yml', 'stagecraft')).toContain(
      'stg_main__orders',
    )
  })

  test('all units that are deleted leave an empty folder behind, which is none', async () => {
    const { repository, shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    shop.work()
    const { files } = await untilEnded(shop, await createPush(shop))
    await deleteUnit(shop, 'main.orders')
    const push = await untilEnded(shop, await createPush(shop))
    expect(push).toMatchObject({ state: 'completed', outcome: 'pushed', files: [] })
    expect(push.removed?.toSorted()).toEqual(files?.map(({ path }) => path))
    expect(repository.git('ls-tree', '-r', '--name-only', 'stagecraft')).toBe('README.md')
    await expect(createPush(shop)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })

  test('a push of another unit removes what is gone of its source', async () => {
    const { repository, shop } = await openShopWithGit(open)
    for (const table of ['orders', 'customers', 'payments']) await shop.generate(`main.${table}`)
    shop.work()
    await untilEnded(shop, await createPush(shop))
    await deleteUnit(shop, 'main.orders')
    const unitIds = [await unitOf(shop, 'main.payments')]
    const push = await untilEnded(shop, await createPush(shop, { unitIds }))
    expect(push).toMatchObject({ removed: [ORDERS] })
    const names = repository.git('ls-tree', '-r', '--name-only', 'stagecraft')
    expect(names).toContain('stg_main__customers.sql')
    expect(names).not.toContain('stg_main__orders.sql')
    const models = repository.read('models/staging/main/_main__models.yml', 'stagecraft')
    expect(models).toContain('stg_main__customers')
    expect(models).not.toContain('name: stg_main__orders')
  })

  test('a branch that begins from one that has taken a push in loses what is gone', async () => {
    const { repository, shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    await shop.generate('main.customers')
    shop.work()
    await untilEnded(shop, await createPush(shop))
    repository.git('update-ref', 'refs/heads/main', 'stagecraft')
    await deleteUnit(shop, 'main.orders')
    const push = await untilEnded(shop, await createPush(shop, { branch: 'next' }))
    expect(push).toMatchObject({ outcome: 'pushed', removed: [ORDERS] })
    expect(await untilEnded(shop, await createPush(shop, { branch: 'next' }))).toMatchObject({
      outcome: 'unchanged',
    })
  })

  test('sends what it was asked to send, in the order in which it was asked', async () => {
    const { repository, shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    await shop.generate('main.customers')
    const first = await createPush(shop, { message: 'first' })
    const before = await shop.handlers.getArchive(callOf(shop.caller, {}))
    await generateWith(shop, { leadingCommas: true })
    await deleteUnit(shop, 'main.customers')
    const second = await createPush(shop, { message: 'second' })
    shop.work()
    expect(await untilEnded(shop, first)).toMatchObject({ outcome: 'pushed' })
    expect(await untilEnded(shop, second)).toMatchObject({ outcome: 'pushed' })
    expect(repository.git('log', '--format=%s', 'stagecraft')).toBe('second\nfirst\nhuman')
    for (const [path, content] of Object.entries(unzipSync(before.bytes)))
      expect(repository.read(path, 'stagecraft~1')).toBe(Buffer.from(content).toString())
    expect(repository.git('ls-tree', '-r', '--name-only', 'stagecraft')).not.toContain('customers')
    for (const table of ['push_items', 'push_paths'] as const)
      expect(await shop.context.store.db.selectFrom(table).select('unit_id').execute()).toEqual([])
  })

  test('waits for an earlier push to its branch, and not for one to another', async () => {
    const { shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    const first = await createPush(shop)
    const second = await createPush(shop)
    const other = await createPush(shop, { branch: 'other' })
    // Somebody has begun the first and is silent for now.
    const { db } = shop.context.store
    await db
      .updateTable('pushes')
      .set({ state: 'running', lease_owner: 'x', lease_until: 9e15 })
      .where('id', '=', first)
      .execute()
    shop.work()
    expect(await untilEnded(shop, other)).toMatchObject({ outcome: 'pushed' })
    expect((await getPush(shop, second)).state).toBe('queued')
    await db.updateTable('pushes').set({ lease_until: 1 }).where('id', '=', first).execute()
    expect(await untilEnded(shop, first)).toMatchObject({ outcome: 'pushed' })
    expect(await untilEnded(shop, second)).toMatchObject({ outcome: 'unchanged' })
  })

  test('a push whose connection broke after git had taken it is found to have arrived', async () => {
    const { repository, shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    // Ends the program on the other side, once, before it can answer.
    repository.hook('post-receive', 'test -e broken || { touch broken; kill -KILL $PPID; }')
    shop.work()
    const id = await createPush(shop)
    const push = await untilEnded(shop, id)
    expect(push).toMatchObject({ state: 'completed', outcome: 'pushed', files: expect.any(Array) })
    expect(push.commit).toBe(repository.git('rev-parse', 'stagecraft'))
    expect(repository.git('rev-list', '--count', '--grep=Stagecraft-Push', 'stagecraft')).toBe('1')
    const told = (await shop.events()).filter(({ event }) => event === 'push.completed')
    expect(told).toMatchObject([{ data: { push_id: id, commit: push.commit } }])
    expect(existsSync(join(repository.folder, 'broken'))).toBe(true)
  })

  test.for([
    ['before the commit is written down', 1],
    ['after git has taken the commit', 2],
  ] as const)('a project that is deleted %s leaves nothing in the log', async ([, transaction]) => {
    const { shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    const pushId = await createPush(shop)
    const told: string[] = []
    const log = (_: object, message: string): void => void told.push(message)
    const { store } = shop.context
    const { projectId } = shop.caller
    let count = 0
    const deleting: typeof store.transaction = async (work) => {
      count += 1
      if (count === transaction)
        await shop.handlers.deleteProject(callOf(shop.caller, { params: { projectId } }))
      return await store.transaction(work)
    }
    const context = {
      ...shop.context,
      logger: { debug: log, info: log, warn: log, error: log },
      store: { ...store, transaction: deleting },
    }
    const jobs = runJobs(context, jobsOf(context), { pollMs: 20 })
    onTestFinished(() => jobs.stop())
    await expect.poll(() => count).toBeGreaterThanOrEqual(transaction)
    await jobs.stop()
    expect(told).toEqual([])
    expect(await store.db.selectFrom('pushes').select('id').where('id', '=', pushId).execute()).toEqual([])
    expect(await store.db.selectFrom('pushed_files').select('path').execute()).toEqual([])
  })
})
