import type { Table } from '@stagecraft/spec'
import { DIALECTS } from '@stagecraft/dialects'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { finalColumns } from '../merge/final-columns.ts'
import { type PretendProject, pretendProject } from '../testing/pretend-project.ts'

// People and a warehouse change a project in any order, and it is brought up to date in between. Whatever a person wrote has
// a mark, so that it can be counted: nothing of it may be lost but with the column that it is about.

const MODEL = 'models/staging/shop/stg_shop__orders.sql'
const MODELS = 'models/staging/shop/_shop__models.yml'
const SOURCES = 'models/staging/shop/_shop__sources.yml'

interface World {
  readonly project: PretendProject
  /** Columns of the warehouse, by table. */
  readonly tables: Map<string, string[]>
  /** What people wrote, with the file it is in and the column that it is about. */
  readonly marks: { readonly mark: string; readonly path: string; readonly column?: string }[]
  /** Columns that a person ever wrote about. */
  readonly described: Set<string>
  count: number
}

function tablesOf({ tables }: World): readonly Table[] {
  return [...tables].map(([name, columns]) => ({
    schema: 'shop',
    name,
    primaryKey: ['id'],
    columns: ['id', ...columns].map((column) => ({ name: column, type: 'integer' })),
  }))
}

function edit({ project }: World, path: string, change: (text: string) => string): boolean {
  const text = project.files.get(path)
  const edited = text === undefined ? undefined : change(text)
  if (edited === undefined || edited === text) return false
  project.files.set(path, edited)
  return true
}

/** One thing that happens. The number decides which column or table it happens to. */
type Step = (world: World, number: number) => Promise<void> | void

const columnsOf = (world: World): string[] => world.tables.get('orders') ?? []
const pickColumn = (world: World, number: number): string | undefined => {
  const columns = columnsOf(world)
  return columns[number % Math.max(1, columns.length)]
}

function mark(world: World, path: string, column?: string): string {
  world.count += 1
  const text = `by hand ${world.count};`
  if (column !== undefined) world.described.add(column)
  world.marks.push({ mark: text, path, ...(column !== undefined && { column }) })
  return text
}

function unmark(world: World): void {
  world.marks.pop()
}

const STEPS: Readonly<Record<string, Step>> = {
  'add column': (world) => {
    world.count += 1
    columnsOf(world).push(`c${world.count}`)
  },
  'add column in between': (world) => {
    world.count += 1
    columnsOf(world).unshift(`c${world.count}`)
  },
  'drop column': (world, number) => {
    const column = pickColumn(world, number)
    if (column !== undefined && columnsOf(world).length > 1)
      world.tables.set(
        'orders',
        columnsOf(world).filter((other) => other !== column),
      )
  },
  'add table': (world) => {
    world.count += 1
    world.tables.set(`t${world.count}`, ['a'])
  },
  'drop table': (world) => {
    const name = [...world.tables.keys()].find((one) => one !== 'orders')
    if (name !== undefined) world.tables.delete(name)
  },
  'comment a column in SQL': (world, number) => {
    const column = pickColumn(world, number) ?? ''
    const text = mark(world, MODEL, column)
    const isDone = edit(world, MODEL, (sql) =>
      sql.replace(new RegExp(`^( +)${column}(,?)$`, 'm'), `$1${column}$2 -- ${text}`),
    )
    if (!isDone) unmark(world)
  },
  'select a column by another name': (world, number) => {
    const column = pickColumn(world, number) ?? ''
    const text = mark(world, MODEL, column)
    const isDone = edit(world, MODEL, (sql) =>
      sql.replace(new RegExp(`^( +)${column}(,?)$`, 'm'), `$1${column} as own_${column}$2 -- ${text}`),
    )
    if (!isDone) unmark(world)
  },
  'add a column of its own': (world) => {
    const text = mark(world, MODEL)
    const isDone = edit(world, MODEL, (sql) =>
      sql.replace('id as order_id,', `id as order_id,\n        1 as own${world.count}, -- ${text}`),
    )
    if (!isDone) unmark(world)
  },
  'write above a model': (world) => {
    const text = mark(world, MODEL)
    if (!edit(world, MODEL, (sql) => `-- ${text}\n${sql}`)) unmark(world)
  },
  'describe a column': (world, number) => {
    const column = pickColumn(world, number) ?? ''
    for (const path of [MODELS, SOURCES]) {
      const text = mark(world, path, column)
      const isDone = edit(world, path, (yaml) =>
        yaml.replace(
          new RegExp(`^( +)- name: ${column}$`, 'm'),
          `$1- name: ${column} # ${text}\n$1  meta: {own: ${world.count}}`,
        ),
      )
      if (!isDone) unmark(world)
    }
  },
  'comment the properties': (world, number) => {
    const path = number % 2 === 0 ? MODELS : SOURCES
    const text = mark(world, path)
    if (!edit(world, path, (yaml) => `# ${text}\n${yaml}`)) unmark(world)
  },
  apply: async (world) => void (await world.project.apply(tablesOf(world))),
  'apply in a fresh clone': async (world) =>
    void (await world.project.apply(tablesOf(world), { fresh: true })),
  prune: async (world) => {
    await world.project.apply(tablesOf(world), { prune: true })
    forgetMarksOf(world, (column) => column !== undefined && !columnsOf(world).includes(column))
  },
  forget: (world, number) => {
    const names = [...world.tables.keys()].filter((one) => one !== 'orders')
    const name = names[number % Math.max(1, names.length)]
    if (name !== undefined) world.project.forget(`shop.${name}`)
  },
}

/** A comment on the line of a column goes with the column, when nothing else of a person keeps it. */
function forgetMarksOf(world: World, isGone: (column: string | undefined) => boolean): void {
  const kept = world.marks.filter(({ column }) => !isGone(column))
  world.marks.splice(0, world.marks.length, ...kept)
}

function expectNothingLost({ marks, project }: World, after: string): void {
  const lost = marks.filter(({ mark: text, path }) => !project.files.get(path)?.includes(text))
  expect({ after, lost }).toEqual({ after, lost: [] })
}

interface Properties {
  readonly models?: readonly Named[]
  readonly sources?: readonly { readonly tables?: readonly Named[] }[]
}
interface Named {
  readonly name: string
  readonly columns?: readonly { readonly name: string }[]
}

/** What dbt needs: YAML that it reads, no entry twice, and for the model none of ours that it does not select. */
function expectReadable({ described, project }: World): void {
  for (const [path, text] of project.files) {
    if (!path.endsWith('.yml')) continue
    const { models = [], sources = [] } = parse(text, { uniqueKeys: true }) as Properties
    const entries = [...models, ...sources.flatMap(({ tables = [] }) => tables)]
    for (const names of [
      models,
      ...sources.map(({ tables = [] }) => tables),
      ...entries.map((one) => one.columns ?? []),
    ])
      expect(new Set(names.map(({ name }) => name)).size).toBe(names.length)
    const orders = models.find(({ name }) => name === 'stg_shop__orders')
    const sql = project.files.get(MODEL)
    const selected = finalColumns(sql ?? '', DIALECTS.duckdb)
    if (!orders || !selected) continue
    const names = new Set(selected.columns.map(({ name }) => name))
    const wrong = (orders.columns ?? []).filter(
      ({ name }) => !names.has(name) && [...described].every((column) => !name.includes(column)),
    )
    expect(wrong).toEqual([])
  }
}

test('whatever people and the warehouse do in whatever order, nothing of a person is lost, and a second plan is empty', async () => {
  const step = fc.tuple(fc.constantFrom(...Object.keys(STEPS)), fc.nat(20))
  let written = 0
  const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 16 }), async (steps) => {
    const tables = new Map([
      ['orders', ['amount', 'state']],
      ['customers', ['email']],
    ])
    const world: World = { project: pretendProject(), tables, marks: [], described: new Set(), count: 0 }
    await world.project.apply(tablesOf(world))
    for (const [name, number] of steps) {
      await STEPS[name]?.(world, number)
      expectNothingLost(world, name)
    }
    await world.project.apply(tablesOf(world))
    expectNothingLost(world, 'the last apply')
    expectReadable(world)
    written += world.marks.length
    const again = await world.project.plan(tablesOf(world))
    expect(again.files.filter(({ after, before }) => after !== before).map(({ path }) => path)).toEqual([])
  })
  await fc.assert(property, { numRuns: 25 })
  expect(written).toBeGreaterThan(25)
}, 120_000)
