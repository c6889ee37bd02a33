import { expect, test } from 'vitest'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import { openShop } from './open-shop.ts'
import { addProject, callOf } from './open-test-context.ts'

await describeEachStore('units', MIGRATIONS, (open) => {
  test('a unit is named after its model, and told', async () => {
    const { caller, events, handlers } = await openShop(open)
    const body = { type: 'staging', source: 'main.payments', options: { addTests: true } }
    const { data } = await handlers.createUnit(callOf(caller, { body }))
    expect(data).toMatchObject({ ...body, name: 'stg_main__payments', version: 1 })
    expect(await handlers.getUnit(callOf(caller, { params: { unitId: data.id } }))).toEqual({ data })
    const unit = { unit_id: data.id, unit_name: 'stg_main__payments', unit_type: 'staging' }
    expect(await events()).toEqual([
      expect.objectContaining({
        event: 'unit.created',
        project_id: caller.projectId,
        data: { ...unit, source: 'main.payments', options: { addTests: true } },
      }),
    ])
  })

  test('is explained as it was generated, or as it would be now', async () => {
    const { addUnit, caller, context, generate, handlers } = await openShop(open)
    const unitId = await addUnit('main.payments', { options: { addTests: true } })
    const explain = async (query: object = {}) =>
      (await handlers.explainUnit(callOf(caller, { params: { unitId }, query }))).data
    const before = await explain()
    expect(before).toMatchObject({ model: 'stg_main__payments', source: 'main.payments', type: 'staging' })
    const names = before.columns.map(({ column, name }) => [column, name])
    expect(names[0]).toEqual(['id', 'payment_id'])
    expect(before.columns[0]?.decisions.filter(({ about }) => about === 'test')).toMatchObject([
      {
        value: 'unique',
        reasons: [{ evidence: 'constraint' }],
        keys: ['sources.main.tables.payments.key', 'options.addTests'],
      },
      { value: 'not_null', reasons: [{ evidence: 'constraint' }] },
    ])
    await expect(explain({ columns: 'generation' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('completed generation'),
    })
    await generate('main.payments', { options: { addTests: true } })
    // what the warehouse loses stays explained as it was generated
    const explained = await explain()
    await context.catalogs.close()
    expect(await explain({ columns: 'generation' })).toEqual(explained)
    expect(explained.columns).toEqual(before.columns)
  })

  test('explains no unit of another project, and none whose table is gone', async () => {
    const { addUnit, caller, context, handlers } = await openShop(open)
    const unitId = await addUnit('main.nothing')
    await expect(
      handlers.explainUnit(callOf(caller, { params: { unitId }, query: {} })),
    ).rejects.toMatchObject({ code: 'INVALID_SOURCE' })
    const other = await addProject(context, 'Other')
    await expect(
      handlers.explainUnit(callOf(other, { params: { unitId }, query: {} })),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('a project has one unit of a type and source', async () => {
    const { addUnit, events, handlers, caller } = await openShop(open)
    const unitId = await addUnit('main.orders')
    await expect(addUnit('main.orders')).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(unitId),
      details: { unitId },
    })
    await addUnit('main.orders', { type: 'snapshot' })
    const found = await handlers.listUnits(callOf(caller, { query: { limit: 10, source: 'main.orders' } }))
    expect(found.data.items.map(({ type }) => type).toSorted()).toEqual(['snapshot', 'staging'])
    expect(await events()).toHaveLength(2)
  })

  test('of two that make the same unit at once one does', async () => {
    const { addUnit, events } = await openShop(open)
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => addUnit('main.orders')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await events()).toHaveLength(1)
  })

  test('refuses what is no source name and a connection that is not there', async () => {
    const { addUnit, events } = await openShop(open)
    await expect(addUnit('main..orders')).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { faults: [expect.objectContaining({ path: 'source' })] },
    })
    await expect(addUnit('main.orders', { connectionId: 'conn_none' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await events()).toEqual([])
  })

  test('a change counts, and what changes nothing does not', async () => {
    const { addUnit, caller, events, handlers } = await openShop(open)
    const unitId = await addUnit('main.orders', { options: { addTests: true } })
    const patch = (body: object, ifVersion?: number) =>
      handlers.updateUnit(callOf(caller, { params: { unitId }, body, ifVersion }))
    expect((await patch({ options: { addTests: true } }, 1)).data.version).toBe(1)
    const { data } = await patch({ name: 'Orders', options: { addDocs: true } }, 1)
    expect(data).toMatchObject({ name: 'Orders', options: { addDocs: true }, version: 2 })
    await expect(patch({ name: 'Other' }, 1)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { reason: 'version' },
    })
    const [, updated, ...more] = await events()
    expect(updated).toMatchObject({
      event: 'unit.updated',
      data: { unit_name: 'Orders', options: { addDocs: true } },
    })
    expect(more).toEqual([])
  })

  test('changes at once get one version each, or are told', async () => {
    const { addUnit, caller, events, handlers } = await openShop(open)
    const unitId = await addUnit('main.orders')
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((name) =>
        handlers.updateUnit(callOf(caller, { params: { unitId }, body: { name } })),
      ),
    )
    const done = outcomes.filter(({ status }) => status === 'fulfilled').length
    const { data } = await handlers.getUnit(callOf(caller, { params: { unitId } }))
    expect(data.version).toBe(1 + done)
    expect(await events()).toHaveLength(1 + done)
  })

  test('a unit that is deleted is gone with its generations', async () => {
    const { caller, context, events, generate, handlers } = await openShop(open)
    await generate('main.orders')
    const { id } = await context.store.db.selectFrom('units').select('id').executeTakeFirstOrThrow()
    const call = callOf(caller, { params: { unitId: id } })
    expect(await handlers.deleteUnit(call)).toEqual({ data: { id, deleted: true } })
    await expect(handlers.getUnit(call)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await context.store.db.selectFrom('generated_files').selectAll().execute()).toEqual([])
    expect((await events()).at(-1)).toMatchObject({
      event: 'unit.deleted',
      data: { unit_id: id, source: 'main.orders' },
    })
  })

  test('a generation that goes on while its unit is deleted is told to have failed', async () => {
    const { addUnit, caller, context, events, handlers } = await openShop(open)
    const unitId = await addUnit('main.orders')
    const { data } = await handlers.createGeneration(callOf(caller, { body: { unitId } }))
    await context.store.db
      .updateTable('generations')
      .set({ state: 'running', start_published: 1, started_at: await context.store.now() })
      .where('id', '=', data.id)
      .execute()
    await handlers.deleteUnit(callOf(caller, { params: { unitId } }))
    expect((await events()).slice(1)).toMatchObject([
      {
        event: 'generation.failed',
        data: { generation_id: data.id, error: { message: 'its unit was deleted' } },
      },
      { event: 'unit.deleted' },
    ])
  })

  test('units of other projects are not there', async () => {
    const { addUnit, context, handlers } = await openShop(open)
    const unitId = await addUnit('main.orders')
    const other = await addProject(context, 'Other')
    const call = callOf(other, { params: { unitId }, body: { unitId, name: 'x' } })
    for (const operation of ['getUnit', 'updateUnit', 'deleteUnit', 'createGeneration'] as const)
      await expect(handlers[operation](call)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await handlers.listUnits(callOf(other, {}))).data.items).toEqual([])
  })
})
