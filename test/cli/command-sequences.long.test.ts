import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type CliResult, readFolder, runWarm, temporaryFolder } from './run-cli.ts'

// A person, a warehouse and every command that writes meet in any order. Each line of a person carries a mark, so that it can
// be counted, and what the commands promise is held after each step.

const ORDERS = 'models/staging/shop/stg_shop__orders.sql'
const MODELS = 'models/staging/shop/_shop__models.yml'
const OWN = 'models/own/payments.sql'
/** Answers that are no faults of the command: 1 is a difference, 2 a refusal that says why. */
const ANSWERS = new Set([0, 1, 2])

interface World {
  readonly folder: string
  /** Columns of the warehouse, by table. */
  readonly tables: Map<string, string[]>
  /** What people wrote, with the column that it is about. */
  readonly marks: { readonly mark: string; readonly column?: string }[]
  readonly log: string[]
  count: number
}

type Step = (world: World, number: number) => Promise<void> | void

function writeTables({ folder, tables }: World): void {
  const lines = [...tables].flatMap(([name, columns]) => [
    `  - schema: shop`,
    `    name: ${name}`,
    `    primaryKey: [id]`,
    `    columns:`,
    ...['id', ...columns].map((column) => `      - { name: ${column}, type: integer }`),
  ])
  writeFileSync(join(folder, 'columns.yml'), `dialect: duckdb\ntables:\n${lines.join('\n')}\n`)
}

function openWorld(): World {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\nversion: 1.0.0\n')
  writeFileSync(join(folder, 'stagecraft.yml'), 'dialect: duckdb\ncatalog: columns.yml\n')
  mkdirSync(join(folder, 'models/own'), { recursive: true })
  writeFileSync(
    join(folder, OWN),
    "-- by hand 0;\nselect\n  id as payment_no,\n  amount\nfrom {{ source('shop', 'payments') }}\n",
  )
  writeFileSync(
    join(folder, 'models/own/sources.yml'),
    'sources:\n  - name: shop # by hand 00;\n    tables:\n      - name: payments\n',
  )
  const tables = new Map([
    ['orders', ['amount', 'state']],
    ['payments', ['amount']],
  ])
  const marks = [{ mark: 'by hand 0;' }, { mark: 'by hand 00;' }]
  const world: World = { folder, tables, marks, log: [], count: 0 }
  writeTables(world)
  return world
}

async function run(world: World, ...parameters: readonly string[]): Promise<CliResult> {
  const result = await runWarm(parameters, { folder: world.folder })
  world.log.push(`${parameters.join(' ')} → ${result.code}`)
  expect({ log: world.log, known: ANSWERS.has(result.code ?? -1), stderr: result.stderr }).toMatchObject({
    known: true,
  })
  expect(result.stderr, world.log.join('\n')).not.toMatch(/\n\s+at |internal error|TypeError/)
  return result
}

/** What people and git see. */
function visible({ folder }: World): Readonly<Record<string, string>> {
  const files = Object.entries(readFolder(folder))
  return Object.fromEntries(files.filter(([path]) => !path.startsWith('.stagecraft/')))
}

/** Edits a file as a person would, with a mark; nothing where it is not there, or has not what is to be changed. */
function edit(
  world: World,
  path: string,
  change: (text: string, mark: string) => string,
  column?: string,
): void {
  const file = join(world.folder, path)
  if (!existsSync(file)) return
  world.count += 1
  const mark = `by hand ${world.count};`
  const text = readFileSync(file, 'utf8')
  const edited = change(text, mark)
  if (edited === text) return
  writeFileSync(file, edited)
  world.log.push(`edit ${path}: ${mark}`)
  world.marks.push({ mark, ...(column !== undefined && { column }) })
}

const pick = ({ tables }: World, number: number): string | undefined => {
  const columns = tables.get('orders') ?? []
  return columns[number % Math.max(1, columns.length)]
}

const NEW_COLUMN: Step = (world, number) => {
  const name = [...world.tables.keys()][number % world.tables.size] ?? 'orders'
  world.count += 1
  world.tables.set(name, [...(world.tables.get(name) ?? []), `c${world.count}`])
  writeTables(world)
}

const STEPS: Readonly<Record<string, Step>> = {
  'new column': NEW_COLUMN,
  'drop column': (world, number) => {
    const column = pick(world, number)
    const rest = (world.tables.get('orders') ?? []).filter((one) => one !== column)
    if (rest.length > 0) world.tables.set('orders', rest)
    writeTables(world)
  },
  'new table': (world) => {
    world.count += 1
    world.tables.set(`t${world.count}`, [`a${world.count}`, 'b'])
    writeTables(world)
  },
  'drop table': (world, number) => {
    const names = [...world.tables.keys()].filter((name) => name.startsWith('t'))
    world.tables.delete(names[number % Math.max(1, names.length)] ?? '')
    writeTables(world)
  },
  'comment SQL': (world, number) => {
    const column = pick(world, number) ?? ''
    const line = new RegExp(`^( +)${column}(,?)$`, 'm')
    edit(world, ORDERS, (sql, mark) => sql.replace(line, `$1${column}$2 -- ${mark}`), column)
  },
  'rename in SQL': (world, number) => {
    const column = pick(world, number) ?? ''
    const line = new RegExp(`^( +)${column}(,?)$`, 'm')
    edit(world, ORDERS, (sql, mark) => sql.replace(line, `$1${column} as own_${column}$2 -- ${mark}`), column)
  },
  'write above': (world) => edit(world, ORDERS, (sql, mark) => `-- ${mark}\n${sql}`),
  describe: (world, number) => {
    const column = pick(world, number) ?? ''
    const line = new RegExp(`^( +)- name: ${column}$`, 'm')
    edit(
      world,
      MODELS,
      (yaml, mark) => yaml.replace(line, `$1- name: ${column} # ${mark}\n$1  meta: {own: ${world.count}}`),
      column,
    )
  },
  'comment YAML': (world) => edit(world, MODELS, (yaml, mark) => `# ${mark}\n${yaml}`),
  'move model': (world) => {
    const [from, to] = [join(world.folder, ORDERS), join(world.folder, 'models/own/stg_shop__orders.sql')]
    if (existsSync(from)) renameSync(from, to)
  },
  plan: async (world) => {
    const before = visible(world)
    await run(world, 'plan')
    expect(visible(world)).toEqual(before)
  },
  apply: (world) => apply(world),
  'apply all': (world) => apply(world, 'shop.*'),
  'apply ours': (world) => apply(world, '--conflict', 'ours'),
  prune: async (world) => {
    await apply(world, '--prune', '--partial')
    const there = new Set([...world.tables.values()].flat())
    const kept = world.marks.filter(({ column }) => column === undefined || there.has(column))
    world.marks.splice(0, world.marks.length, ...kept)
  },
  'generate --out': async (world) => {
    await run(world, 'generate', 'shop.*', '--out', '.')
  },
  adopt: async (world) => {
    const before = visible(world)
    await run(world, 'adopt', OWN)
    expect(withoutLock(visible(world)), world.log.join('\n')).toEqual(withoutLock(before))
  },
  forget: async (world, number) => {
    const before = visible(world)
    await run(world, 'forget', number % 2 === 0 ? OWN : ORDERS)
    expect(withoutLock(visible(world)), world.log.join('\n')).toEqual(withoutLock(before))
  },
  'undo twice': async (world) => {
    const before = visible(world)
    const { code } = await run(world, 'undo')
    if (code === 0) await run(world, 'undo')
    expect(visible(world), world.log.join('\n')).toEqual(before)
  },
}

function withoutLock({ 'stagecraft.lock': _, ...files }: Readonly<Record<string, string>>): object {
  return files
}

/** Applies; if that wrote something, `undo` takes back every byte, and once more does it again. */
async function apply(world: World, ...flags: readonly string[]): Promise<void> {
  const before = visible(world)
  const { code } = await run(world, 'apply', ...flags)
  const after = visible(world)
  if (code !== 0) {
    expect(after, world.log.join('\n')).toEqual(before)
    return
  }
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    await run(world, 'undo')
    expect(visible(world), world.log.join('\n')).toEqual(before)
    await run(world, 'undo')
    expect(visible(world), world.log.join('\n')).toEqual(after)
  }
  const kept = flags.filter((flag) => flag !== '--partial')
  const again = await run(world, 'plan', '--json', ...kept)
  const plan = JSON.parse(again.stdout) as {
    readonly files: readonly { readonly path: string; readonly changes: boolean }[]
  }
  expect({
    log: world.log,
    changed: plan.files.filter(({ changes }) => changes).map(({ path }) => path),
  }).toEqual({
    log: world.log,
    changed: [],
  })
}

function expectNothingLost(world: World): void {
  const all = Object.values(visible(world)).join('\n')
  expect({ log: world.log, lost: world.marks.filter(({ mark }) => !all.includes(mark)) }).toEqual({
    log: world.log,
    lost: [],
  })
}

interface Named {
  readonly name: string
  readonly columns?: readonly { readonly name: string }[]
}

/** No model, table or column stands there twice, and no table has two models. */
function expectReadable(world: World): void {
  const entries: string[] = []
  for (const [path, text] of Object.entries(visible(world))) {
    if (!path.startsWith('models/') || !path.endsWith('.yml')) continue
    const { models = [], sources = [] } = parse(text, { uniqueKeys: true }) as {
      readonly models?: readonly Named[]
      readonly sources?: readonly (Named & { readonly tables?: readonly Named[] })[]
    }
    const tables = sources.flatMap((source) =>
      (source.tables ?? []).map((table) => ({ ...table, name: `${source.name}.${table.name}` })),
    )
    for (const { columns = [], name } of [...models, ...tables]) {
      entries.push(name, ...columns.map((column) => `${name}.${column.name}`))
    }
  }
  const twice = entries.filter((name, index) => entries.indexOf(name) !== index)
  expect({ log: world.log, twice }).toEqual({ log: world.log, twice: [] })
}

/** `check` fails exactly where `plan --prune` would change something or cannot, or a table is new or gone. */
async function expectCheckAgrees(world: World): Promise<void> {
  if (!existsSync(join(world.folder, 'stagecraft.lock'))) return
  const planned = await run(world, 'plan', '--prune', '--json')
  if (planned.code === 2) return
  const { files, tables } = JSON.parse(planned.stdout) as {
    readonly files: readonly { readonly action: string; readonly changes: boolean }[]
    readonly tables: readonly { readonly state: string; readonly drifts: readonly unknown[] }[]
  }
  const differs =
    files.some(({ action, changes }) => changes || action === 'conflict') ||
    tables.some(({ drifts, state }) => state === 'gone' || drifts.length > 0)
  const { code, stdout } = await run(world, 'check')
  expect({ log: world.log, code, stdout }).toEqual({ log: world.log, code: differs ? 1 : 0, stdout })
}

const RUNS = Number(process.env['SEQUENCE_RUNS'] ?? 3)
const SEED = Number(process.env['SEQUENCE_SEED'] ?? 11)

test('whatever people, the warehouse and the commands do in whatever order, nothing of a person is lost', async () => {
  const step = fc.tuple(fc.constantFrom(...Object.keys(STEPS)), fc.nat(20))
  let [written, commands] = [0, 0]
  const property = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), async (steps) => {
    const world = openWorld()
    await apply(world, 'shop.*')
    for (const [name, number] of steps) {
      world.log.push(`${name} (${number})`)
      await STEPS[name]?.(world, number)
      expectNothingLost(world)
      expectReadable(world)
    }
    await expectCheckAgrees(world)
    await apply(world, '--partial')
    await expectCheckAgrees(world)
    written += world.count
    commands += world.log.filter((line) => line.includes(' → ')).length
  })
  await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true })
  expect(written).toBeGreaterThan(RUNS)
  expect(commands).toBeGreaterThan(10 * RUNS)
}, 1_800_000)
