import type { Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { pretendProject } from '../testing/pretend-project.ts'

const ORDERS: Table = {
  schema: 'shop',
  name: 'orders',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'seen_at', type: 'timestamp' },
  ],
}
const CONFIG = { sources: { shop: { tables: { orders: { loadedAt: 'seen_at' } } } } }
const FILE = 'models/own.yml'
const LIMITS = {
  warn_after: { count: 24, period: 'hour' },
  error_after: { count: 48, period: 'hour' },
}

/** Plans twice with a sources file of a person, and returns the text and the notes. */
async function planned(
  table: string,
  source = '',
): Promise<{ readonly before: string; readonly after: string; readonly notes: readonly string[] }> {
  const before = `sources:\n  - name: shop # ours\n${source}    tables:\n      - name: orders   # ours too\n${table}`
  const project = pretendProject({ [FILE]: before })
  const plan = await project.apply([ORDERS], { config: CONFIG })
  const after = project.files.get(FILE) ?? ''
  const notes = plan.files.find(({ path }) => path === FILE)?.notes ?? []
  const again = await project.plan([ORDERS], { config: CONFIG })
  expect(again.files.find(({ path }) => path === FILE)?.after).toBe(after)
  return { before, after, notes }
}

interface Sources {
  readonly sources: readonly { readonly tables: readonly Readonly<Record<string, unknown>>[] }[]
}

const tableOf = (text: string): unknown => (parse(text) as Sources).sources[0]?.tables[0]

test('an accepted loadedAt is merged into an entry that a person wrote', async () => {
  const { after, before, notes } = await planned('        columns:\n          - name: id # key\n')
  expect(notes).toEqual([])
  expect(tableOf(after)).toEqual({
    name: 'orders',
    config: { freshness: LIMITS, loaded_at_field: 'seen_at' },
    columns: [{ name: 'id' }],
  })
  const kept = after.split('\n').filter((line) => before.split('\n').includes(line))
  expect(kept).toEqual(before.split('\n'))
})

test('a limit that the source sets stays', async () => {
  const limits = '    config:\n      freshness:\n        warn_after: {count: 1, period: day}\n'
  const { after, notes } = await planned('', limits)
  expect(notes).toEqual([])
  expect(tableOf(after)).toEqual({ name: 'orders', config: { loaded_at_field: 'seen_at' } })
})

test.each([
  ['        loaded_at_field: id\n', '', 'the sources file says loaded_at_field: id'],
  ['', '    config:\n      loaded_at_field: id\n', 'the sources file says loaded_at_field: id'],
  ['        freshness: null\n', '', 'the entry says how fresh the table is in another way'],
  [
    '        config: {tags: [a]}\n',
    '',
    'the entry has a config of its own; add loaded_at_field: seen_at there',
  ],
])('the plan says why it is not: %j %j', async (table, source, reason) => {
  const { after, before, notes } = await planned(table, source)
  expect(after).toBe(before)
  expect(notes).toEqual([
    `shop.orders: loadedAt: seen_at of stagecraft.yml is not written, because ${reason}`,
  ])
})

test('a person who wrote the same is told nothing', async () => {
  const { after, before, notes } = await planned('        loaded_at_field: seen_at\n')
  expect({ after, notes }).toEqual({ after: before, notes: [] })
})
