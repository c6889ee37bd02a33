import { DIALECTS } from '@stagecraft/dialects'
import type { EditedItem } from '@stagecraft/core/run'
import type { Table } from '@stagecraft/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { pretendProject, type PretendProject } from '../testing/pretend-project.ts'
import { decidedBefore, moveEdit } from './move-edit.ts'

type Edit = NonNullable<EditedItem['edit']>

/** `id integer`, one column per text, of the table `shop.orders`. */
function table(...columns: readonly string[]): Table {
  return {
    schema: 'shop',
    name: 'orders',
    columns: columns.map((text) => {
      const [name = '', type = 'integer'] = text.split(' ')
      return { name, type }
    }),
  }
}

/** Describes columns by their names, as an accepted proposal does. */
function describing({ columns }: Table, ...names: readonly string[]): Edit {
  const edits = names.map((name) => {
    const ordinal = columns.findIndex((column) => column.name === name) + 1
    return [ordinal, { name: null, description: `About ${name}.`, operation: null, tests: [] }] as const
  })
  return { description: 'One row is one order.', columns: new Map(edits) }
}

/** The descriptions of columns in the models file. */
function described(project: PretendProject): Readonly<Record<string, string>> {
  const text = project.files.get('models/staging/shop/_shop__models.yml') ?? ''
  const { models } = parse(text) as {
    readonly models: readonly { readonly columns?: readonly { name: string; description?: string }[] }[]
  }
  const columns = models[0]?.columns ?? []
  return Object.fromEntries(
    columns.flatMap(({ description, name }) => (description ? [[name, description]] : [])),
  )
}

const ORDERS = table('id', 'amount', 'note text')
const ABOUT_ALL = {
  order_id: 'About id.',
  amount: 'About amount.',
  note: 'About note.',
}

async function withEdits(): Promise<PretendProject> {
  const project = pretendProject()
  await project.apply([ORDERS], { edits: { orders: describing(ORDERS, 'id', 'amount', 'note') } })
  expect(described(project)).toEqual(ABOUT_ALL)
  return project
}

test('what was decided for every column, the last one too, stays in the next plan', async () => {
  const project = await withEdits()
  const plan = await project.plan([ORDERS])
  expect(plan.files.filter(({ after, before }) => after !== before)).toEqual([])
  expect(plan.lock).toEqual(project.lock())
})

test.each([
  ['added in front', table('tax', 'id', 'amount', 'note text'), ABOUT_ALL],
  ['added behind', table('id', 'amount', 'note text', 'tax'), ABOUT_ALL],
  ['in another order', table('note text', 'id', 'amount'), ABOUT_ALL],
  ['dropped, and kept until it is pruned', table('id', 'note text'), ABOUT_ALL],
  [
    'renamed',
    table('id', 'total', 'note text'),
    { order_id: 'About id.', total: 'About amount.', note: 'About note.' },
  ],
  [
    'of another type',
    table('id', 'amount text', 'note text'),
    { order_id: 'About id.', note: 'About note.' },
  ],
])('columns keep what was decided for them when one is %s', async (_, now, expected) => {
  const project = await withEdits()
  await project.apply([now])
  expect(described(project)).toEqual(expected)
  const again = await project.plan([now])
  expect(again.files.filter(({ after, before }) => after !== before)).toEqual([])
  expect(again.lock).toEqual(project.lock())
})

test('what was decided for a column goes with it when it is pruned', async () => {
  const project = await withEdits()
  await project.apply([table('id', 'note text')], { prune: true })
  expect(described(project)).toEqual({ order_id: 'About id.', note: 'About note.' })
})

test('an edit of the table of now is about its columns, and columns that only the project has keep theirs', async () => {
  const project = await withEdits()
  const now = table('id', 'note text', 'tax')
  await project.apply([now], { edits: { orders: describing(now, 'tax') } })
  expect(described(project)).toEqual({
    order_id: 'Primary key by its name; the source declares none.',
    amount: 'About amount.',
    tax: 'About tax.',
  })
})

test('an expression reads its columns by their names of now, and goes with one that is not there', () => {
  const from = table('id', 'amt', 'rate', 'lower')
  const expression = { sql: 'lower(amt) * "rate" + amt', family: 'integer', dataType: 'integer' } as const
  const edit: Edit = {
    description: null,
    columns: new Map([[2, { name: 'paid', description: null, operation: null, tests: [], expression }]]),
  }
  const sqlIn = (to: Table, ...renames: readonly (readonly [string, string])[]): string | undefined =>
    moveEdit(edit, { from, to, renames: new Map(renames), dialect: DIALECTS.duckdb }).columns.get(2)
      ?.expression?.sql
  expect(sqlIn(from)).toBe(expression.sql)
  expect(sqlIn(table('id', 'amt', 'rate'))).toBe(expression.sql)
  expect(sqlIn(table('id', 'total-amount', 'rate', 'lower'), ['total-amount', 'amt'])).toBe(
    'lower("total-amount") * "rate" + "total-amount"',
  )
  expect(sqlIn(table('id', 'amt', 'lower'))).toBeUndefined()
  expect(sqlIn(table('id', 'amt', 'rate text', 'lower'))).toBeUndefined()
})

test('a table is decided as long as it is as it was, but for what the project keeps of it', async () => {
  const project = await withEdits()
  const itemOf = (now: Table): EditedItem => ({
    request: { type: 'staging', source: 'shop.orders' },
    table: now,
  })
  const decided = (now: Table): readonly number[] | undefined => {
    const before = project.lock().get('shop.orders')?.item
    const found = decidedBefore(itemOf(now), before, DIALECTS.duckdb)
    return found?.edit && [...found.edit.columns.keys()]
  }
  expect(decided(ORDERS)).toEqual([1, 2, 3])
  const narrower = table('id', 'note text')
  expect(decided(narrower)).toEqual([1, 2])
  await project.apply([narrower])
  expect(decided(narrower)).toEqual([1, 2])
  expect(decided(table('id', 'note text', 'tax'))).toBeUndefined()
  expect(decidedBefore(itemOf(ORDERS), itemOf(ORDERS), DIALECTS.duckdb)).toBeUndefined()
})

test('whatever becomes of columns, each has what was decided for it, and a second plan is empty', async () => {
  const step = fc.tuple(fc.constantFrom('add', 'drop', 'swap', 'prune', 'edit'), fc.nat(9))
  const property = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
    const project = await withEdits()
    const known = new Set(['id', 'amount', 'note'])
    let columns = ORDERS.columns.map(({ name, type }) => `${name} ${type}`)
    for (const [index, [kind, number]] of steps.entries()) {
      const at = number % (columns.length + 1)
      // of a type of its own, so that none is taken for another one that is renamed
      if (kind === 'add') columns = columns.toSpliced(at, 0, `c${index} decimal(30,${index})`)
      if (kind === 'drop' && columns.length > 1) columns = columns.filter((_, one) => one !== at)
      if (kind === 'swap') columns = [...columns.slice(at), ...columns.slice(0, at)]
      const now = table(...columns)
      const names = now.columns.map(({ name }) => name)
      if (kind === 'edit') {
        await project.apply([now], { edits: { orders: describing(now, ...names) } })
        for (const name of names) known.add(name)
      } else await project.apply([now], { prune: kind === 'prune' })
      const there = new Set(
        project
          .lock()
          .get('shop.orders')
          ?.item.table.columns.map(({ name }) => name),
      )
      for (const name of known) if (!there.has(name)) known.delete(name)
      const expected = [...known].map((name) => [name === 'id' ? 'order_id' : name, `About ${name}.`])
      expect(described(project)).toEqual(Object.fromEntries(expected))
      const again = await project.plan([now])
      expect(again.files.filter(({ after, before }) => after !== before).map(({ path }) => path)).toEqual([])
      expect(again.lock).toEqual(project.lock())
    }
  })
  await fc.assert(property, { numRuns: 25 })
})
