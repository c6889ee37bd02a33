// The files that citations lead to: those that the assistant reads, and no others.
import { expect, test } from 'vitest'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { talkHandlers } from '../../packages/service/src/talk/talk-handlers.ts'
import { describeEachStore } from './each-store.ts'
import { openShop, type Shop } from './open-shop.ts'
import { addProject, callOf } from './open-test-context.ts'
import { openShopWithGit } from './push-shop.ts'

const FILES = {
  'warehouse/dbt_project.yml': 'name: shop\n',
  'warehouse/models/orders.sql': 'select 1 -- password=canary-4711\n',
  'warehouse/models/large.sql': 'x'.repeat(2_000_001),
  'warehouse/profiles.yml': 'canary',
  'warehouse/.hidden.yml': 'canary',
  'warehouse/models/key.pem/a.yml': 'canary',
  'warehouse/target/compiled/a.sql': 'canary',
  'outside.sql': 'canary',
}

function reader({ caller, context }: Shop) {
  const { getProjectFile } = talkHandlers(context)
  return async (path: string): Promise<string> => {
    const { bytes } = await getProjectFile(callOf(caller, { params: { path } }))
    return Buffer.from(bytes).toString()
  }
}

await describeEachStore('a file of the dbt project', MIGRATIONS, (open) => {
  test('is as the branch has it now, without secrets; what the assistant does not read is not found', async () => {
    const { repository, shop } = await openShopWithGit(open, { files: FILES })
    const read = reader(shop)
    expect(await read('models/orders.sql')).toBe('select 1 -- password=***\n')
    const hidden = Object.keys(FILES).flatMap((path) => (path.includes('orders') ? [] : [path]))
    const inside = hidden.map((path) => path.replace('warehouse/', ''))
    const others = [
      '__proto__',
      '../outside.sql',
      '/etc/passwd',
      'models/../models/orders.sql',
      'models\0',
      '',
    ]
    for (const path of [...hidden, ...inside, ...others]) {
      if (path === 'models/large.sql' || path === 'dbt_project.yml') continue
      await expect(read(path), path).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    await expect(read('models/large.sql')).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { reason: 'too_large' },
    })
    repository.commit({ 'warehouse/models/orders.sql': 'select 2\n' })
    expect(await read('models/orders.sql')).toBe('select 2\n')
  })

  test('is as it was generated last where there is no repository', async () => {
    const shop = await openShop(open)
    const read = reader(shop)
    await expect(read('models/staging/stg_orders.sql')).rejects.toThrow('neither')
    const unitId = await shop.addUnit('orders', { name: 'stg_orders' })
    shop.work()
    const { handlers, caller } = shop
    const { data } = await handlers.createGeneration(callOf(caller, { body: { unitId } }))
    const get = async () =>
      (await handlers.getGeneration(callOf(caller, { params: { generationId: data.id } }))).data
    await expect.poll(async () => (await get()).state).toBe('completed')
    const path = (await get()).files?.find((file) => file.path.endsWith('.sql'))?.path ?? ''
    expect(await read(path)).toContain('select')
    expect((await get()).unitName).toBe('stg_orders')
  })

  test('belongs to its project: another one does not see it', async () => {
    const { shop } = await openShopWithGit(open, { files: FILES })
    expect(await reader(shop)('models/orders.sql')).toContain('select 1')
    const caller = await addProject(shop.context, 'Other')
    await expect(reader({ ...shop, caller })('models/orders.sql')).rejects.toThrow('neither')
  })
})
