// A process of its own that works on a store: the place and the task are its parameter, as JSON.
import { type StorePlace, openStoreOf } from './each-store.ts'
import { TEST_MIGRATIONS, type TestDatabase } from './store-schema.ts'

export interface StoreTask {
  /** Starts the ids of its rows. */
  readonly prefix: string
  /** How many transactions, each of two rows; an id is printed when its transaction is over. */
  readonly transactions: number
}

const { place, task } = JSON.parse(process.argv[2] ?? '') as { place: StorePlace; task: StoreTask }
const store = await openStoreOf<TestDatabase>({ ...place, migrations: TEST_MIGRATIONS })
for (let index = 0; index < task.transactions; index += 1) {
  const id = `${task.prefix}_${index}`
  await store.transaction(async (transaction) => {
    await transaction
      .insertInto('notes')
      .values({ id, created_at: index, body: 'x'.repeat(300) })
      .execute()
    await transaction
      .insertInto('note_tags')
      .values({ note_id: id, tag: 'x'.repeat(300) })
      .execute()
  })
  process.stdout.write(`${id}\n`)
}
await store.close()
