import { StagecraftError } from '@stagecraft/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeEachStore } from '../../../../test/service/each-store.ts'
import { TEST_MIGRATIONS, type TestDatabase } from '../../../../test/service/store-schema.ts'
import { page, parseCursor, printCursor } from './page.ts'

const positions = fc.record({
  createdAt: fc.maxSafeInteger(),
  id: fc.stringMatching(/^[\x21-\x7e]{1,200}$/),
})

function codeOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return (
      error instanceof StagecraftError && error.details?.faults?.[0]?.path === 'query.cursor' && error.code
    )
  }
}

test('reads the cursor that it printed', () => {
  fc.assert(
    fc.property(positions, (position) => {
      expect(parseCursor(printCursor(position))).toEqual(position)
    }),
  )
})

test('refuses a cursor with another character in it', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+ \u0000é'
  const changes = fc.tuple(positions, fc.nat(), fc.constantFrom(...alphabet.split('')))
  fc.assert(
    fc.property(changes, ([position, at, character]) => {
      const cursor = printCursor(position)
      const index = at % cursor.length
      fc.pre(cursor[index] !== character)
      const changed = cursor.slice(0, index) + character + cursor.slice(index + 1)
      expect(codeOf(() => parseCursor(changed))).toBe('INVALID_REQUEST')
    }),
    { numRuns: 2000 },
  )
})

test('refuses any other text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(codeOf(() => parseCursor(text))).toBe('INVALID_REQUEST')
    }),
  )
})

await describeEachStore<TestDatabase>('a list', TEST_MIGRATIONS, (open) => {
  test('comes in pages, newest first, each row once', async () => {
    const store = await open()
    const notes = Array.from({ length: 25 }, (_, index) => ({
      id: `n${String(index).padStart(2, '0')}`,
      created_at: 1_700_000_000_000 + Math.floor(index / 4), // groups of the same time
      body: '',
    }))
    await store.db
      .insertInto('notes')
      .values(notes.toSorted(() => 0.5 - Math.random()))
      .execute()
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { nextCursor, rows } = await page(store.db.selectFrom('notes').selectAll(), { limit: 5, cursor })
      expect(rows).toHaveLength(5)
      seen.push(...rows.map(({ id }) => id))
      cursor = nextCursor
    } while (cursor !== undefined)
    expect(seen).toEqual(notes.map(({ id }) => id).toReversed())
  })

  test('is moved neither by new rows nor by deleted ones', async () => {
    const store = await open()
    const insert = (id: string, created_at: number) =>
      store.db.insertInto('notes').values({ id, created_at, body: '' }).execute()
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) await insert(id, index)
    const list = (cursor?: string) => page(store.db.selectFrom('notes').selectAll(), { limit: 2, cursor })
    const first = await list()
    await store.db.deleteFrom('notes').where('id', '=', 'c').execute()
    await insert('e', 9)
    const second = await list(first.nextCursor)
    expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a'])
    expect(second.nextCursor).toBeUndefined()
  })

  test('may come from a query of several tables', async () => {
    const store = await open()
    for (const id of ['a', 'b', 'c']) {
      await store.db.insertInto('notes').values({ id, created_at: 1, body: '' }).execute()
      await store.db.insertInto('note_tags').values({ note_id: id, tag: 'x' }).execute()
    }
    const query = store.db
      .selectFrom('notes')
      .innerJoin('note_tags', 'note_id', 'id')
      .where('tag', '=', 'x')
      .select(['notes.id', 'notes.created_at'])
    const order = ['notes.created_at', 'notes.id'] as const
    const { nextCursor } = await page(query, { limit: 2, order })
    expect((await page(query, { limit: 2, order, cursor: nextCursor })).rows).toEqual([
      { id: 'a', created_at: 1 },
    ])
  })
})
