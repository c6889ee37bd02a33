import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachStore } from '../../../../../test/service/each-store.ts'
import { addProject, callOf, openTestContext } from '../../../../../test/service/open-test-context.ts'
import { openShop } from '../../../../../test/service/open-shop.ts'
import { newGeneration } from '../../generations/batch-members.ts'
import { unitHandlers } from '../../units/unit-handlers.ts'
import { MIGRATIONS } from './index.ts'

const NAME = '0009_start_published'
/** Later migrations come first here, since handlers of today need them; they know nothing of the column. */
const BEFORE = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name !== NAME))
const AFTER = { ...BEFORE, [`9999_${NAME}`]: MIGRATIONS[NAME] } as typeof MIGRATIONS

/** The column as the version before knew it. */
interface Earlier {
  readonly generations: { id: string; state: string; announced: number; started_at: number | null }
}

await describeEachStore('a process of the version before the renaming', AFTER, (open) => {
  test('loses no event beside processes of this version, and none is sent twice', async () => {
    const old = await open({ migrations: BEFORE })
    const oldDb = old.db as unknown as Kysely<Earlier>
    const context = openTestContext(old)
    const caller = await addProject(context)
    const create = async (id: string, of: { readonly unit_id: string; readonly project_id: string }) => {
      const row = newGeneration({ id, kind: 'unit', columns: 'live', ...of }, await old.now())
      const { start_published: _, ...known } = row
      await oldDb
        .insertInto('generations')
        .values({ ...known, announced: 0 })
        .execute()
    }
    const start = async (id: string) => {
      const now = await old.now()
      const found = await oldDb
        .updateTable('generations')
        .set({ state: 'running', announced: 1, started_at: now })
        .where('id', '=', id)
        .where('announced', '=', 0)
        .returning('id')
        .execute()
      return found.length
    }
    const unit = await unitHandlers(context).createUnit(
      callOf(caller, { body: { type: 'staging', source: 'main.payments' } }),
    )
    await create('gen_before', { unit_id: unit.data.id, project_id: caller.projectId })
    expect(await start('gen_before')).toBe(1)

    const shop = await openShop(open)
    const endsOf = async () =>
      (await shop.events())
        .filter(({ event }) => event === 'generation.failed')
        .map(({ data }) => data['generation_id'])
    await unitHandlers(shop.context).deleteUnit(callOf(caller, { params: { unitId: unit.data.id } }))
    expect(await endsOf()).toEqual(['gen_before'])

    const started = await shop.addUnit('main.payments')
    const { projectId: project_id } = shop.caller
    await create('gen_started', { unit_id: started, project_id })
    expect(await start('gen_started')).toBe(1)
    await shop.handlers.deleteUnit(callOf(shop.caller, { params: { unitId: started } }))
    expect(await endsOf()).toEqual(['gen_before', 'gen_started'])

    const queued = await shop.addUnit('main.orders')
    await create('gen_queued', { unit_id: queued, project_id })
    shop.work()
    const eventsOfUnit = async () =>
      (await shop.events()).filter(({ data }) => data['unit_id'] === queued).map(({ event }) => event)
    await expect.poll(eventsOfUnit, { timeout: 60_000 }).toContain('generation.completed')
    expect(await start('gen_queued')).toBe(0)
    expect(await eventsOfUnit()).toEqual(['unit.created', 'generation.started', 'generation.completed'])
  })
})
