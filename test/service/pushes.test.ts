import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import { generateWith } from './generate-with.ts'
import { openShop } from './open-shop.ts'
import { createPush, openShopWithGit, untilEnded } from './push-shop.ts'
import { addProject, callOf } from './open-test-context.ts'

const ORDERS = 'models/staging/main/stg_main__orders.sql'

await describeEachStore('pushes', MIGRATIONS, (open) => {
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
