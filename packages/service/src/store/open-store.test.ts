import { StagecraftError } from '@stagecraft/spec'
import { isUniqueViolation } from './errors/driver-error.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachStore } from '../../../../test/service/each-store.ts'
import { TEST_MIGRATIONS, type TestDatabase } from '../../../../test/service/store-schema.ts'

await describeEachStore<TestDatabase>('a store', TEST_MIGRATIONS, (open) => {
  const note = (id: string) => ({ id, created_at: 1, body: 'text' })

  test('keeps what a transaction wrote', async () => {
    const store = await open()
    await store.transaction(async (transaction) => {
      await transaction.insertInto('notes').values(note('n1')).execute()
      await transaction.insertInto('note_tags').values({ note_id: 'n1', tag: 'a' }).execute()
    })
    expect(await (await open()).db.selectFrom('notes').selectAll().execute()).toEqual([note('n1')])
  })

  test('keeps nothing of a transaction that fails', async () => {
    const store = await open()
    const failing = store.transaction(async (transaction) => {
      await transaction.insertInto('notes').values(note('n1')).execute()
      throw new Error('planned')
    })
    await expect(failing).rejects.toThrow('planned')
    expect(await store.db.selectFrom('notes').selectAll().execute()).toEqual([])
    await store.db.insertInto('notes').values(note('n2')).execute()
    expect(await store.db.selectFrom('notes').select('id').execute()).toEqual([{ id: 'n2' }])
  })

  test('refuses its own handle inside of a transaction', async () => {
    const store = await open()
    const misuses: readonly (() => Promise<unknown>)[] = [
      () => store.db.selectFrom('notes').selectAll().execute(),
      () => store.db.insertInto('notes').values(note('n1')).execute(),
      () => store.transaction(async () => 1),
      () => store.now(),
    ]
    for (const misuse of misuses) {
      await expect(store.transaction(misuse)).rejects.toThrow('expected the handle of the open transaction')
    }
    expect(await store.transaction((transaction) => store.now(transaction))).toBeGreaterThan(1.7e12)
  })

  test('runs fifty transactions at once', async () => {
    const store = await open()
    await store.db
      .insertInto('notes')
      .values({ ...note('n'), body: '0' })
      .execute()
    const count = () =>
      store.transaction(async (transaction) => {
        const lock = store.engine === 'postgres' ? sql` for update` : sql``
        const { rows } = await sql<{ body: string }>`select body from notes where id = 'n'${lock}`.execute(
          transaction,
        )
        await transaction
          .updateTable('notes')
          .set({ body: String(Number(rows[0]?.body) + 1) })
          .execute()
      })
    await Promise.all(Array.from({ length: 50 }, count))
    expect(await store.db.selectFrom('notes').select('body').execute()).toEqual([{ body: '50' }])
  })

  test('tells a unique violation from other errors', async () => {
    const store = await open()
    const caught = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)
    const insert = () => store.db.insertInto('notes').values(note('n1')).execute()
    await insert()
    expect(isUniqueViolation(await caught(insert()))).toBe(true)
    const orphan = store.db.insertInto('note_tags').values({ note_id: 'none', tag: 'a' }).execute()
    const error = await caught(orphan)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(StagecraftError)
    expect(isUniqueViolation(error)).toBe(false)
  })
})
