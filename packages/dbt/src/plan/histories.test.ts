import type { Column, Config, Table } from '@stagecraft/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { lockKey } from '../lock/lock.ts'
import { type PretendProject, pretendProject } from '../testing/pretend-project.ts'
import type { ProjectPlan } from './plan-types.ts'

// A warehouse, people, settings and commands change a project in any order. After every step the project is one that dbt can
// read, and nothing that a person wrote is lost but with what it is about.

interface World {
  readonly project: PretendProject
  readonly tables: Map<string, Column[]>
  config: Config
  /** What people wrote, by the table that it is about. */
  marks: { readonly mark: string; readonly table: string }[]
  readonly log: string[]
  /** The project as it was before each command. */
  readonly before: {
    readonly files: ReadonlyMap<string, string>
    readonly lock: ReturnType<PretendProject['lock']>
  }[]
  count: number
}

type Step = (world: World, number: number) => Promise<void> | void

const TYPES = ['integer', 'text', 'timestamp', 'boolean']

function tablesOf({ tables }: World): readonly Table[] {
  return [...tables].map(([name, columns]) => ({ schema: 'shop', name, columns, primaryKey: ['id'] }))
}

function pick<Item>(items: Iterable<Item>, number: number): Item | undefined {
  const all = [...items]
  return all[number % Math.max(1, all.length)]
}

function changeColumns(world: World, number: number, change: (columns: Column[], at: number) => void): void {
  const name = pick(world.tables.keys(), number)
  const columns = name === undefined ? [] : [...(world.tables.get(name) ?? [])]
  if (name === undefined || columns.length < 2) return
  change(columns, 1 + ((number >> 2) % (columns.length - 1)))
  world.tables.set(name, columns)
}

const next = (world: World): number => (world.count += 1)

/** Returns false for properties that dbt could not read, as with a key that is there twice. */
function isReadable(path: string, text: string): boolean {
  return path.endsWith('.sql') || parseDocument(text, { uniqueKeys: true }).errors.length === 0
}

/** Changes a file of a table's model as a person would, with a mark. */
function edit(
  world: World,
  number: number,
  change: (text: string, mark: string) => string,
  ending = '.sql',
): void {
  const locked = pick([...world.project.lock().values()], number)
  const path =
    ending === '.sql' ? locked?.model.path : pick([locked?.properties?.path, locked?.source?.path], number)
  const text = path === undefined ? undefined : world.project.files.get(path)
  if (!locked || path === undefined || text === undefined) return
  const mark = `by hand ${next(world)};`
  const edited = change(text, mark)
  if (edited === text || !isReadable(path, edited)) return
  world.project.files.set(path, edited)
  world.marks.push({ mark, table: ending === '.sql' ? lockKey(locked.item) : '' })
}

function setting(world: World, change: (config: Config) => Config): void {
  world.config = change(world.config)
}

type Options = NonNullable<Parameters<PretendProject['apply']>[1]>

async function apply(world: World, options: Options = {}): Promise<void> {
  const { project } = world
  world.before.push({ files: new Map(project.files), lock: project.lock() })
  const plan = await project.apply(tablesOf(world), { config: world.config, ...options })
  expectSound(world, plan)
  const again = await project.plan(tablesOf(world), { config: world.config, ...options, adopt: new Set() })
  const changed = again.files.filter(({ action, after, before }) => action !== 'conflict' && after !== before)
  expect({ log: world.log, changed: changed.map(({ action, path }) => `${action} ${path}`) }).toEqual({
    log: world.log,
    changed: [],
  })
  expect({ log: world.log, lock: again.lock }).toEqual({ log: world.log, lock: project.lock() })
}

const STEPS: Readonly<Record<string, Step>> = {
  'add a column': (world, number) =>
    changeColumns(
      world,
      number,
      (columns, at) =>
        void columns.splice(at, 0, { name: `new_${next(world)}`, type: TYPES[number % 4] ?? 'text' }),
    ),
  'drop a column': (world, number) =>
    changeColumns(world, number, (columns, at) => columns.length > 3 && void columns.splice(at, 1)),
  'rename a column': (world, number) =>
    changeColumns(world, number, (columns, at) => {
      const column = columns[at]
      if (column) columns[at] = { ...column, name: `${column.name.replace(/_?\d+$/, '')}_${next(world)}` }
    }),
  'retype a column': (world, number) =>
    changeColumns(world, number, (columns, at) => {
      const column = columns[at]
      if (column) columns[at] = { ...column, type: TYPES[number % 4] ?? 'text' }
    }),
  'comment a column': (world, number) =>
    changeColumns(world, number, (columns, at) => {
      const column = columns[at]
      if (column) columns[at] = { ...column, comment: `What ${next(world)} says.` }
    }),
  'add a table': (world) => {
    const at = next(world)
    world.tables.set(`t${at}`, [
      { name: 'id', type: 'integer' },
      ...['a', 'b', 'c'].map((one) => ({ name: `${one}${at}`, type: 'integer' })),
    ])
  },
  'drop a table': (world, number) => {
    const name = pick(world.tables.keys(), number)
    if (name !== undefined && world.tables.size > 1) world.tables.delete(name)
  },
  'rename a table': (world, number) => {
    const name = pick(world.tables.keys(), number)
    const columns = name === undefined ? undefined : world.tables.get(name)
    if (name === undefined || !columns) return
    world.tables.delete(name)
    world.tables.set(`${name.replace(/_?\d+$/, '')}_${next(world)}`, columns)
  },
  'change the case of a table': (world, number) => {
    const name = pick(world.tables.keys(), number)
    const columns = name === undefined ? undefined : world.tables.get(name)
    if (name === undefined || !columns) return
    world.tables.delete(name)
    world.tables.set(name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase(), columns)
  },
  'comment the SQL': (world, number) => edit(world, number, (sql, mark) => `-- ${mark}\n${sql}`),
  'comment a line of SQL': (world, number) =>
    edit(world, number, (sql, mark) => sql.replace(/^( {8}\w+,)$/m, `$1 -- ${mark}`)),
  'add a column of its own': (world, number) =>
    edit(world, number, (sql, mark) =>
      sql.replace(/^( {8}\w+ as \w+,)$/m, `$1\n        1 as own_${world.count}, -- ${mark}`),
    ),
  'describe in the properties': (world, number) =>
    edit(
      world,
      number,
      (yaml, mark) => yaml.replace(/^( +)- name: (\w+)$/m, `$1- name: $2 # ${mark}`),
      '.yml',
    ),
  'add meta to a column': (world, number) =>
    edit(
      world,
      number,
      (yaml, mark) =>
        yaml.replace(/^( {6,})- name: (\w+)$(?!\n +meta)/m, `$1- name: $2\n$1  meta: {own: '${mark}'}`),
      '.yml',
    ),
  'configure a column': (world, number) =>
    setting(world, (config) => {
      const name = pick(world.tables.keys(), number) ?? ''
      const column = pick(world.tables.get(name) ?? [], number >> 2)?.name ?? 'id'
      const tables = { ...config.sources?.['shop']?.tables }
      tables[name] = {
        ...tables[name],
        columns: { ...tables[name]?.columns, [column]: { name: `own_name_${next(world)}` } },
      }
      return { ...config, sources: { ...config.sources, shop: { ...config.sources?.['shop'], tables } } }
    }),
  'configure naming': (world, number) =>
    setting(world, (config) => ({
      ...config,
      naming: {
        ...config.naming,
        ids: number % 2 === 0,
        booleans: number % 3 === 0,
        patterns: { timestamp: number % 5 === 0 ? '{name}_ts' : '{name}_at' },
      },
    })),
  'name the models': (world, number) =>
    setting(world, (config) => {
      const model = number % 2 === 0 ? 'stg_{source}__{entity}' : 'staging_{entity}'
      return { ...config, naming: { ...config.naming, types: { staging: { model } } } }
    }),
  'choose a layout': (world, number) =>
    setting(world, (config) => ({
      ...config,
      options: { ...config.options, yamlLayout: number % 2 === 0 ? 'folder' : 'model' },
    })),
  'name the source': (world, number) =>
    setting(world, (config) => ({
      ...config,
      sources: {
        ...config.sources,
        shop: { ...config.sources?.['shop'], name: number % 2 === 0 ? 'shop' : 'store' },
      },
    })),
  apply: (world) => apply(world),
  'apply in a fresh clone': (world) => apply(world, { fresh: true }),
  'apply to one': (world, number) => apply(world, { only: [pick(world.tables.keys(), number) ?? ''] }),
  prune: async (world) => {
    const there = new Set(tablesOf(world).map(({ name }) => `shop.${name}`))
    world.marks = world.marks.filter(({ table }) => there.has(table))
    await apply(world, { prune: true })
  },
  undo: (world) => {
    const last = world.before.at(-1)
    if (!last || world.log.at(-2)?.startsWith('apply') !== true) return
    world.before.pop()
    world.project.restore(last)
  },
  forget: (world, number) => {
    const key = pick(world.project.lock().keys(), number)
    if (key !== undefined) world.project.forget(key)
  },
  adopt: async (world, number) => {
    const { config, project } = world
    const path = pick(
      [...project.files.keys()].filter((one) => one.endsWith('.sql')),
      number,
    )
    const [, read = ''] = /source\('\w+', '(\w+)'\)/.exec(project.files.get(path ?? '') ?? '') ?? []
    if (path === undefined || !world.tables.has(read)) return
    const plan = await project.plan(tablesOf(world), { config, only: [read], adopt: new Set([path]) })
    // only the lock is written
    project.restore({ files: new Map(project.files), lock: plan.lock })
  },
}

interface Named {
  readonly name: string
  readonly columns?: readonly Named[]
}
interface Properties {
  readonly models?: readonly Named[]
  readonly sources?: readonly (Named & { readonly tables?: readonly Named[] })[]
}

function expectSound(world: World, plan: ProjectPlan): void {
  const { files } = world.project
  const lost = world.marks.filter(({ mark }) => ![...files.values()].some((text) => text.includes(mark)))
  expect({ log: world.log, lost }).toEqual({ log: world.log, lost: [] })
  const yaml = [...files]
    .filter(([path]) => path.endsWith('.yml'))
    .map(([, text]) => parse(text, { uniqueKeys: true }) as Properties)
  const declared = yaml.flatMap(({ sources = [] }) =>
    sources.flatMap(({ name, tables = [] }) => tables.map((table) => `${name}.${table.name}`)),
  )
  const twice = (names: readonly string[]): readonly string[] =>
    names.filter((name, at) => names.indexOf(name) !== at)
  const models = yaml.flatMap((one) => one.models ?? [])
  const entries = [
    ...models,
    ...yaml.flatMap(({ sources = [] }) => sources.flatMap(({ tables = [] }) => tables)),
  ]
  const reads = [...files]
    .filter(([path]) => path.endsWith('.sql'))
    .map(([path, text]) => [path, /source\('(\w+)', '(\w+)'\)/.exec(text)?.slice(1).join('.') ?? ''] as const)
  const open = plan.files.some(({ action }) => action === 'conflict')
  expect({
    log: world.log,
    declaredTwice: twice(declared),
    describedTwice: twice(models.map(({ name }) => name)),
    columnsTwice: entries.flatMap(({ columns = [] }) => twice(columns.map(({ name }) => name))),
    modelsOfOne: open ? [] : twice(reads.map(([, read]) => read)),
    undeclared: open ? [] : reads.filter(([, read]) => !declared.includes(read)),
    paths: twice(plan.files.map(({ path }) => path)),
  }).toEqual({
    log: world.log,
    declaredTwice: [],
    describedTwice: [],
    columnsTwice: [],
    modelsOfOne: [],
    undeclared: [],
    paths: [],
  })
}

/**
 * Adopting the project as it stands knows the same tables by the same models. A file with a conflict waits for a person: until
 * then the lock keeps what it was made from, which an adoption cannot know.
 */
async function expectAdoptable(world: World): Promise<void> {
  await STEPS['prune']?.(world, 0)
  const { config, project } = world
  const { files } = await project.plan(tablesOf(world), { config, prune: true })
  const open = new Set(files.flatMap(({ action, path }) => (action === 'conflict' ? path : [])))
  const paths = new Set([...project.files.keys()].filter((path) => path.endsWith('.sql')))
  const there = new Set(tablesOf(world).map(({ name }) => `shop.${name}`))
  const known = new Set([...project.lock().keys()].filter((key) => there.has(key)))
  const followed = (lock: ReturnType<PretendProject['lock']>): unknown =>
    [...lock]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .filter(([key, { model }]) => known.has(key) && paths.has(model.path) && !open.has(model.path))
      .map(([key, { item, model }]) => [key, model.name, model.path, item.table.columns])
  const before = followed(project.lock())
  for (const key of project.lock().keys()) project.forget(key)
  const plan = await project.plan(tablesOf(world), { config, adopt: paths })
  expect({ log: world.log, lock: followed(plan.lock) }).toEqual({ log: world.log, lock: before })
}

function openWorld(): World {
  const columns = (...names: readonly string[]): Column[] =>
    ['id', ...names].map((name) => ({ name, type: 'integer' }))
  return {
    project: pretendProject(),
    tables: new Map([
      ['orders', columns('amount', 'state', 'tax', 'note')],
      ['customers', columns('email', 'phone', 'city')],
    ]),
    config: {},
    marks: [],
    log: [],
    before: [],
    count: 0,
  }
}

test('whatever happens in whatever order, the project stays whole', async () => {
  const step = fc.tuple(fc.constantFrom(...Object.keys(STEPS)), fc.nat(40))
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
    const world = openWorld()
    await apply(world)
    for (const [name, number] of steps) {
      world.log.push(`${name} ${number}`)
      await STEPS[name]?.(world, number)
    }
    world.log.push('the last apply')
    await apply(world)
    await expectAdoptable(world)
  })
  await fc.assert(property, { numRuns: Number(process.env['FUZZ_RUNS'] ?? 12) })
}, 120_000)
