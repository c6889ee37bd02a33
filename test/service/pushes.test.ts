import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { makeRepository } from '../../packages/service/src/git/testing/repositories.ts'
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore, type OpenStore } from './each-store.ts'
import { generateWith } from './generate-with.ts'
import { jobsOf } from './jobs-of.ts'
import { openShop, type Shop } from './open-shop.ts'
import { addProject, callOf } from './open-test-context.ts'

async function openShopWithGit(open: OpenStore) {
  const repository = makeRepository(onTestFinished)
  repository.commit({ 'README.md': 'of a human\n' })
  const shop = await openShop(open)
  const body = { git: { remote: repository.folder, authorName: 'Ann', authorEmail: 'ann@example.com' } }
  const { projectId } = shop.caller
  await shop.handlers.updateProject(callOf(shop.caller, { params: { projectId }, body }))
  return { repository, shop }
}

async function createPush({ caller, handlers }: Shop, more: object = {}): Promise<string> {
  const body = { branch: 'stagecraft', message: 'Staging models', ...more }
  return (await handlers.createPush(callOf(caller, { body }))).data.id
}

async function getPush({ caller, handlers }: Shop, pushId: string) {
  return (await handlers.getPush(callOf(caller, { params: { pushId } }))).data
}

async function untilEnded(shop: Shop, pushId: string) {
  await expect
    .poll(async () => (await getPush(shop, pushId)).state)
    .toMatch(/^(?:completed|failed|cancelled)$/)
  return await getPush(shop, pushId)
}

async function unitOf({ caller, handlers }: Shop, source: string): Promise<string> {
  const { data } = await handlers.listUnits(callOf(caller, { query: { limit: 5, source } }))
  return data.items[0]?.id ?? ''
}

async function deleteUnit(shop: Shop, source: string): Promise<void> {
  const unitId = await unitOf(shop, source)
  await shop.handlers.deleteUnit(callOf(shop.caller, { params: { unitId } }))
}

const ORDERS = 'models/staging/main/stg_main__orders.sql'

await describeEachStore('pushes', MIGRATIONS, (open) => {
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

  test('commits the newest files, and tells of it', async () => {
    const { repository, shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    await shop.generate('main.customers')
    shop.work()
    const id = await createPush(shop)
    const push = await untilEnded(shop, id)
    const head = repository.git('rev-parse', 'stagecraft').trim()
    expect(push).toMatchObject({ state: 'completed', outcome: 'pushed', commit: head, branch: 'stagecraft' })
    const { bytes } = await shop.handlers.getArchive(callOf(shop.caller, {}))
    const files = Object.entries(unzipSync(bytes))
    for (const [path, content] of files)
      expect(repository.read(path, 'stagecraft')).toBe(Buffer.from(content).toString())
    expect(push.files?.map(({ path }) => path)).toEqual(files.map(([path]) => path))
    expect(repository.git('log', '-1', '--format=%an <%ae>%n%B', 'stagecraft')).toContain(
      `Ann <ann@example.com>\nStaging models\n\nStagecraft-Push: ${id}`,
    )
    const events = await shop.events()
    expect(events.filter(({ event }) => event === 'push.completed').map(({ data }) => data)).toEqual([
      {
        push_id: id,
        branch: 'stagecraft',
        commit: head,
        files_pushed: push.files?.map(({ lines, path }) => ({ path, lines })),
        duration_ms: expect.any(Number),
      },
    ])
  })

  test('nothing to change makes no commit and no event', async () => {
    const { repository, shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    shop.work()
    const { commit } = await untilEnded(shop, await createPush(shop))
    const again = await untilEnded(shop, await createPush(shop))
    expect(again).toMatchObject({ state: 'completed', outcome: 'unchanged', commit })
    expect(again.files).toBeUndefined()
    expect(repository.git('rev-parse', 'stagecraft').trim()).toBe(commit)
    const events = await shop.events()
    expect(events.filter(({ event }) => event === 'push.completed')).toHaveLength(1)
  })

  test('replaces what it pushed before, and not what a human changed, unless told to', async () => {
    const { repository, shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    shop.work()
    await untilEnded(shop, await createPush(shop))
    await generateWith(shop, { leadingCommas: true })
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({ outcome: 'pushed' })
    repository.commit({ [ORDERS]: 'select 1 -- of a human\n' }, 'stagecraft')
    const refused = await untilEnded(shop, await createPush(shop))
    expect(refused).toMatchObject({
      state: 'failed',
      error: { code: 'INVALID_REQUEST', details: { reason: 'files_changed', files: [ORDERS] } },
    })
    expect(repository.read(ORDERS, 'stagecraft')).toContain('of a human')
    const forced = await untilEnded(shop, await createPush(shop, { overwrite: true }))
    expect(forced).toMatchObject({ state: 'completed', outcome: 'pushed', overwrite: true })
    expect(repository.read(ORDERS, 'stagecraft')).not.toContain('of a human')
    await generateWith(shop, {})
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({ outcome: 'pushed' })
  })

  test('pushes the units that are named, and beside them nothing', async () => {
    const { repository, shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    await shop.generate('main.customers')
    const { data } = await shop.handlers.listUnits(
      callOf(shop.caller, { query: { limit: 5, source: 'main.orders' } }),
    )
    shop.work()
    const unitIds = data.items.map(({ id }) => id)
    const push = await untilEnded(shop, await createPush(shop, { unitIds }))
    expect(push).toMatchObject({ state: 'completed', unitIds })
    const paths = repository.git('ls-tree', '-r', '--name-only', 'stagecraft')
    expect(paths).toContain('stg_main__orders.sql')
    expect(paths).not.toContain('stg_main__customers.sql')
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

  test('a push that a rule refuses fails at once', async () => {
    const { repository, shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    repository.hook('pre-receive', 'echo s3cret-of-the-server >&2; exit 1')
    shop.work()
    const push = await untilEnded(shop, await createPush(shop))
    expect(push).toMatchObject({ state: 'failed', error: { details: { reason: 'rejected' } } })
    expect(JSON.stringify(push)).not.toContain('s3cret')
  })

  test('refuses what cannot be pushed, and says what to do', async () => {
    const shop = await openShop(open)
    await expect(createPush(shop)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { suggestion: expect.stringContaining('PATCH') },
    })
    const { shop: ready } = await openShopWithGit(open)
    await expect(createPush(ready)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { suggestion: expect.stringContaining('generate') },
    })
    await ready.addUnit('main.orders')
    await expect(createPush(ready)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    await ready.generate('main.orders')
    for (const branch of ['a..b', 'refs/heads/main', '-x', 'a b', 'x.lock', '@'])
      await expect(createPush(ready, { branch })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        details: { faults: [{ path: 'branch', received: JSON.stringify(branch) }] },
      })
  })

  test('an unknown unit is told before what the project lacks', async () => {
    const shop = await openShop(open)
    await expect(createPush(shop, { unitIds: ['unit_unknown'] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: { faults: [{ path: 'unitIds.0', received: '"unit_unknown"' }] },
    })
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

  test('one that has not begun is cancelled, and one of another project is not there', async () => {
    const { repository, shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    const pushId = await createPush(shop)
    const other = await addProject(shop.context, 'Other')
    for (const operation of ['getPush', 'cancelPush'] as const)
      await expect(shop.handlers[operation](callOf(other, { params: { pushId } }))).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
    const call = callOf(shop.caller, { params: { pushId } })
    expect((await shop.handlers.cancelPush(call)).data.state).toBe('cancelled')
    shop.work()
    expect(await untilEnded(shop, await createPush(shop, { branch: 'other' }))).toMatchObject({
      outcome: 'pushed',
    })
    expect(repository.git('branch', '--list', 'stagecraft')).toBe('')
    expect((await shop.handlers.listPushes(callOf(shop.caller, {}))).data.items).toHaveLength(2)
  })
})
