import { type StoreOf, openStoreOf } from '../../../../../test/service/each-store.ts'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { asStore, TEST_MIGRATIONS, type TestDatabase } from '../../../../../test/service/store-schema.ts'
import { checkStore } from '../open-store.ts'

let folder = ''
let file = ''
const opened: StoreOf<TestDatabase>[] = []
const note = (id: string) => ({ id, created_at: 1, body: 'text' })
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

async function open(path = file): Promise<StoreOf<TestDatabase>> {
  const store = await openStoreOf<TestDatabase>({ file: path, migrations: TEST_MIGRATIONS })
  opened.push(store)
  return store
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stagecraft-sqlite-store-'))
  file = join(folder, 'data', 'stagecraft.db')
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()))
  rmSync(folder, { recursive: true })
})

test('is readable for its owner alone', async () => {
  const store = await open()
  await store.db.insertInto('notes').values(note('n')).execute()
  expect(modeOf(join(folder, 'data'))).toBe('700')
  const files = readdirSync(join(folder, 'data'))
  expect(files.toSorted()).toEqual(['stagecraft.db', 'stagecraft.db-shm', 'stagecraft.db-wal'])
  expect(files.map((name) => modeOf(join(folder, 'data', name)))).toEqual(['600', '600', '600'])
})

test('takes a file back that others could read, and leaves a folder that was there as it is', async () => {
  chmodSync(folder, 0o755)
  const path = join(folder, 'stagecraft.db')
  writeFileSync(path, '', { mode: 0o644 })
  await open(path)
  expect([modeOf(path), modeOf(folder)]).toEqual(['600', '755'])
})

test('makes commits durable and checks references', async () => {
  const store = await open()
  const settings = await store.transaction(async (transaction) => [
    await sql`pragma synchronous`.execute(transaction),
    await sql`pragma journal_mode`.execute(transaction),
    await sql`pragma foreign_keys`.execute(transaction),
  ])
  expect(settings.map(({ rows }) => rows[0])).toMatchObject([
    { synchronous: 2 },
    { journal_mode: 'wal' },
    { foreign_keys: 1 },
  ])
})

test('answers queries while a transaction is open, with what was committed before', async () => {
  const store = await open()
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const started = Promise.withResolvers<void>()
  const writing = store.transaction(async (transaction) => {
    await transaction.insertInto('notes').values(note('n')).execute()
    started.resolve()
    await ended
  })
  await started.promise
  expect(await store.db.selectFrom('notes').selectAll().execute()).toEqual([])
  await checkStore(asStore(store), { deadlineMs: 500 })
  expect(await store.now()).toBeGreaterThan(1.7e12)
  end()
  await writing
  expect(await store.db.selectFrom('notes').selectAll().execute()).toEqual([note('n')])
})

test('waits for a lock of another process without stopping this one', async () => {
  const store = await open()
  const other = new DatabaseSync(file)
  other.exec('begin immediate')
  const writing = store.db.insertInto('notes').values(note('a')).execute()
  const transaction = store.transaction((handle) => handle.insertInto('notes').values(note('b')).execute())
  // A process that stands still would get here only after SQLite gave the lock up, and writing had failed.
  for (let turn = 0; turn < 100; turn++) await delay(2)
  other.exec('commit')
  other.close()
  await Promise.all([writing, transaction])
  expect(await store.db.selectFrom('notes').select('id').execute()).toEqual([{ id: 'a' }, { id: 'b' }])
})

test('goes on after work that left its transaction', async () => {
  const store = await open()
  let late: Promise<unknown> = Promise.resolve()
  await store.transaction(async (transaction) => {
    await transaction.insertInto('notes').values(note('n')).execute()
    late = delay(20).then(() => store.db.selectFrom('notes').select('id').execute())
  })
  expect(await late).toEqual([{ id: 'n' }])
})

test('keeps whole numbers whole', async () => {
  const store = await open()
  const { rows } =
    await sql`select ${5} / ${2} as half, cast(${5} as text) as text, ${2 ** 53 - 1} as large, ${0.5} as part`.execute(
      store.db,
    )
  expect(rows).toEqual([{ half: 2, text: '5', large: Number.MAX_SAFE_INTEGER, part: 0.5 }])
})

test('runs more statements than it keeps', async () => {
  const store = await open()
  for (let index = 0; index < 600; index += 1) {
    await sql`select ${sql.lit(index)} as n`.execute(store.db)
  }
  expect((await sql`select 0 as n`.execute(store.db)).rows).toEqual([{ n: 0 }])
})

test('refuses a file that is no database', async () => {
  const path = join(folder, 'other.db')
  writeFileSync(path, 'a text that is long enough for a header, and that SQLite does not know')
  await expect(open(path)).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    message: expect.stringContaining('its file is not an SQLite database'),
  })
})

test('refuses a place where no file can be', async () => {
  writeFileSync(join(folder, 'taken'), '')
  await expect(open(join(folder, 'taken', 'stagecraft.db'))).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
  })
})

test('a backup holds what was committed, opens by itself, and is private', async () => {
  const store = await open()
  await store.db.insertInto('notes').values(note('a')).execute()
  const target = join(folder, 'backup.db')
  let copying: Promise<void> = Promise.resolve()
  await store.transaction(async (transaction) => {
    await transaction.insertInto('notes').values(note('b')).execute()
    copying = store.backup(target)
    await copying
  })
  expect(modeOf(target)).toBe('600')
  expect(readdirSync(folder).toSorted()).toEqual(['backup.db', 'data'])
  const restored = await open(target)
  expect(await restored.db.selectFrom('notes').selectAll().execute()).toEqual([note('a')])
  await restored.db.insertInto('notes').values(note('c')).execute()
})

test('a backup is whole while rows are written, and replaces no other', async () => {
  const store = await open()
  const target = join(folder, 'backup.db')
  const over = new AbortController()
  const write = async (): Promise<void> => {
    for (let index = 0; !over.signal.aborted; index += 1) {
      await store.transaction(async (transaction) => {
        await transaction
          .insertInto('notes')
          .values(note(`n${index}`))
          .execute()
        await transaction
          .insertInto('note_tags')
          .values({ note_id: `n${index}`, tag: 'x' })
          .execute()
      })
      await delay(0)
    }
  }
  const writing = write()
  await delay(50)
  await store.backup(target)
  over.abort()
  await writing
  await expect(store.backup(target)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  const restored = new DatabaseSync(target, { readOnly: true })
  const counts = restored
    .prepare('select (select count(*) from notes) n, (select count(*) from note_tags) t')
    .get()
  expect(restored.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  restored.close()
  expect(counts?.['n']).toBeGreaterThan(0)
  expect(counts?.['n']).toBe(counts?.['t'])
})

test('a backup to where none can be written fails and leaves nothing', async () => {
  const store = await open()
  const target = join(folder, 'missing', 'backup.db')
  await expect(store.backup(target)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: `file: expected a file in a folder that exists and can be written to, got ${target}`,
  })
  expect(readdirSync(folder)).toEqual(['data'])
})
