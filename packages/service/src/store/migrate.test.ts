import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachStore } from '../../../../test/service/each-store.ts'
import { TEST_MIGRATIONS, type TestDatabase } from '../../../../test/service/store-schema.ts'
import type { Migrations } from './migrate.ts'

const later: Migrations = {
  ...TEST_MIGRATIONS,
  '0003_later': { up: (db) => db.schema.alterTable('notes').addColumn('later', 'text').execute() },
}

await describeEachStore<TestDatabase>('migrations', TEST_MIGRATIONS, (open) => {
  test('that fail leave nothing behind, and can be repaired', async () => {
    const failing: Migrations = {
      ...TEST_MIGRATIONS,
      '0003_half': { up: (db) => db.schema.createTable('half').addColumn('id', 'text').execute() },
      '0004_wrong': { up: async (db) => void (await sql`create nonsense`.execute(db)) },
    }
    await expect(open({ migrations: failing })).rejects.toThrow('nonsense')
    const store = await open()
    await expect(sql`select * from half`.execute(store.db)).rejects.toThrow('half')
  })

  test('are added to those that were applied; an older program then says so and does nothing', async () => {
    const old = await open()
    await old.db.insertInto('notes').values({ id: 'n', created_at: 1, body: '' }).execute()
    const store = await open({ migrations: later })
    expect(await store.db.selectFrom('notes').selectAll().execute()).toEqual([
      { id: 'n', created_at: 1, body: '', later: null },
    ])
    await expect(open()).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('newer version of the program has changed it (0003_later)'),
    })
    // a program that was already running goes on
    expect(await old.db.selectFrom('notes').select('id').execute()).toEqual([{ id: 'n' }])
  })
})
