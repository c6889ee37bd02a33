import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import {
  describeEachStore,
  type StorePlace,
  type StoreOf,
  openStoreOf,
} from '../../../../test/service/each-store.ts'
import { startStoreProcess } from '../../../../test/service/store-process.ts'
import { TEST_MIGRATIONS, type TestDatabase } from '../../../../test/service/store-schema.ts'

const rowsOf = async (store: StoreOf<TestDatabase>): Promise<readonly string[]> => {
  const rows = await store.db
    .selectFrom('notes')
    .innerJoin('note_tags', 'note_id', 'id')
    .select('id')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** A place where nothing has been yet, of the same engine. */
async function withFreshPlace(place: StorePlace, work: (place: StorePlace) => Promise<void>): Promise<void> {
  if ('file' in place) {
    const folder = mkdtempSync(join(tmpdir(), 'stagecraft-fresh-'))
    await work({ file: join(folder, 'data', 'stagecraft.db') }).finally(() =>
      rmSync(folder, { recursive: true }),
    )
    return
  }
  const schema = `fresh_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  await work({ ...place, schema }).finally(async () => {
    await client.query(`drop schema if exists ${schema} cascade`)
    await client.end()
  })
}

await describeEachStore<TestDatabase>('a store of several processes', TEST_MIGRATIONS, (open, place) => {
  test('takes the rows of all of them', async () => {
    const prefixes = ['a', 'b', 'c']
    const processes = prefixes.map((prefix) => startStoreProcess(place, { prefix, transactions: 60 }))
    const results = await Promise.all(processes.map(({ ended }) => ended))
    expect(results).toEqual(prefixes.map(() => ({ code: 0, errors: '' })))
    expect(await rowsOf(await open())).toHaveLength(180)
  })

  test('loses no row that was acknowledged, and keeps no half, when a process is killed', async () => {
    const acknowledged: string[] = []
    for (const prefix of ['a', 'b', 'c']) {
      const { ended, lines, process } = startStoreProcess(place, { prefix, transactions: 1_000_000 })
      const killAt = acknowledged.length + 20 + Math.floor(Math.random() * 30)
      for await (const line of lines) {
        acknowledged.push(line)
        if (acknowledged.length === killAt) process.kill('SIGKILL')
      }
      expect((await ended).code).toBeNull()
    }
    const store = await open()
    if (store.engine === 'postgres') await delay(50) // the server may still be at the last statement
    const rows = await rowsOf(store)
    expect(rows).toEqual(expect.arrayContaining(acknowledged))
    const { count } = await store.db
      .selectFrom('notes')
      .select((build) => build.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(rows).toHaveLength(count)
  })

  test('is set up once by eight that start at once', async () => {
    await withFreshPlace(place, async (fresh) => {
      const processes = Array.from({ length: 8 }, (_, index) =>
        startStoreProcess(fresh, { prefix: `p${index}`, transactions: 1 }),
      )
      const results = await Promise.all(processes.map(({ ended }) => ended))
      expect(results).toEqual(processes.map(() => ({ code: 0, errors: '' })))
      const store = await openStoreOf<TestDatabase & { stagecraft_migration: { name: string } }>({
        ...fresh,
        migrations: TEST_MIGRATIONS,
      })
      try {
        const applied = await store.db
          .selectFrom('stagecraft_migration')
          .select('name')
          .orderBy('name')
          .execute()
        expect(applied.map(({ name }) => name)).toEqual(Object.keys(TEST_MIGRATIONS))
      } finally {
        await store.close()
      }
    })
  })

  test('is set up once by eight connections of one process', async () => {
    await withFreshPlace(place, async (fresh) => {
      const opening = Array.from({ length: 8 }, () =>
        openStoreOf<TestDatabase>({ ...fresh, migrations: TEST_MIGRATIONS }),
      )
      const stores = await Promise.all(opening)
      expect(await Promise.all(stores.map(rowsOf))).toEqual(stores.map(() => []))
      await Promise.all(stores.map((store) => store.close()))
    })
  })
})
