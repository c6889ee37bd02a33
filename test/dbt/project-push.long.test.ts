import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseLock } from '@stagecraft/dbt'
import type { PlannedPushResource } from '@stagecraft/spec/api'
import { expect, onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import {
  makeFolder,
  makeRepository,
  runTestGit,
  type TestRepository,
} from '../../packages/service/src/git/testing/repositories.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { openStore } from '../../packages/service/src/store/open-store.ts'
import { readFolder, runCli } from '../cli/run-cli.ts'
import { makeWarehouse, openShop, type Shop } from '../service/open-shop.ts'
import { callOf } from '../service/open-test-context.ts'
import { createPush, deleteUnit, untilEnded } from '../service/push-shop.ts'
import { type Dbt, runDbt } from './dbt.ts'
import { testWithDbt } from './with-dbt.ts'

const ROOT = 'analytics/warehouse'
const SOURCES = `${ROOT}/models/sources.yml`
const FOLDER = `${ROOT}/models/staging/raw_shop`
const model = (table: string): string => `${FOLDER}/stg_raw_shop__${table}.sql`
const MODELS = `${FOLDER}/_raw_shop__models.yml`

/** Hand-written files: a source of the same schema, and a model of one of its tables. */
const FILES: Readonly<Record<string, string>> = {
  'README.md': 'of a human\n',
  [`${ROOT}/dbt_project.yml`]: stringify({
    name: 'generated',
    profile: 'generated',
    models: { generated: { '+materialized': 'view' } },
  }),
  [SOURCES]: `# Who loads what: ask Mei.
version: 2
sources:
- name: raw_shop          # the old name
  schema: main
  config: {meta: {owner: "mei", tier: 1}}
  tables:
  - name: customers
    description: >
      Who buys,
      over two lines.
`,
  [`${ROOT}/models/crm/customers.sql`]:
    "select id, email from {{ source('raw_shop', 'customers') }} -- ours\n",
  [`${ROOT}/models/marts/orders.sql`]: 'select 1 as id\n',
}

const MORE_TABLES = `
  create table refunds (id integer primary key, order_id integer references orders (id), reason text);
  create table stock (id integer primary key, item text, level integer);`

const BEFORE = ['orders', 'payments', 'stock', 'customers']
const OPTIONS = { options: { addTests: true, addDocs: true } }
const CONFIG = { dialect: 'duckdb' }

interface World {
  readonly repository: TestRepository
  readonly shop: Shop
  /** Clones a branch to disk. */
  readonly clone: () => string
  readonly push: () => Promise<PlannedPushResource>
  readonly edit: (path: string, from: string, to: string) => void
}

async function openWorld(): Promise<World> {
  const repository = makeRepository(onTestFinished)
  repository.commit(FILES)
  const warehouse = makeWarehouse(MORE_TABLES)
  const open = async () => {
    const file = join(makeFolder(onTestFinished), 'store.db')
    const store = await openStore({ migrations: MIGRATIONS, file })
    onTestFinished(() => store.close())
    return store
  }
  const shop = await openShop(open, { warehouse })
  const { caller, handlers } = shop
  const body = { ...CONFIG, git: { remote: repository.folder } }
  await handlers.updateProject(callOf(caller, { params: { projectId: caller.projectId }, body }))
  shop.work()
  return {
    repository,
    shop,
    clone() {
      const folder = makeFolder(onTestFinished)
      runTestGit(folder, ['clone', '-q', '-b', 'main', repository.folder, '.'])
      return folder
    },
    push: async () => await untilEnded(shop, await createPush(shop, { branch: 'main' })),
    edit(path, from, to) {
      const text = repository.read(path)
      expect(text).toContain(from)
      repository.commit({ [path]: text.replace(from, to) })
    },
  }
}

async function parse(dbt: Dbt, folder: string): Promise<void> {
  const copy = makeFolder(onTestFinished)
  runTestGit(copy, ['clone', '-q', folder, '.'])
  const profile = { target: 'dev', outputs: { dev: { type: 'duckdb', path: join(copy, 'x.duckdb') } } }
  const root = join(copy, ROOT)
  writeFileSync(join(root, 'profiles.yml'), stringify({ generated: profile }))
  const { code, output } = await runDbt(dbt, root, ['parse'])
  expect(code, output).toBe(0)
}

async function generateAll(shop: Shop, tables: readonly string[]): Promise<void> {
  for (const table of tables) await shop.generate(`main.${table}`, OPTIONS)
}

/** Files that git knows, as they are on disk. */
function filesOf(folder: string): Readonly<Record<string, string>> {
  const files = Object.entries(readFolder(folder))
  return Object.fromEntries(files.filter(([path]) => !/^\.git\/|\/\.stagecraft\//.test(path)))
}

function drift(warehouse: string): void {
  const database = new DatabaseSync(warehouse)
  database.exec(`
    alter table orders add column tax numeric(10, 2);
    alter table orders add column placed_at timestamp;
    alter table stock drop column level;
    drop table payments;`)
  database.close()
}

/** What people change between two pushes, in models, properties and sources. */
function changeByHand({ edit, repository }: World): void {
  edit(model('orders'), '        total\n', '        round(total, 2) as total -- as the till prints it\n')
  edit(model('orders'), 'select * from renamed', 'select * from renamed where order_id > 0')
  edit(model('stock'), '        item,\n', '        upper(item) as item,\n')
  edit(
    MODELS,
    '      - name: total\n',
    '      - name: total # in euros\n        description: What was paid.\n',
  )
  edit(SOURCES, '      Who buys,\n', '      Everybody who buys,\n')
  repository.commit({
    [`${ROOT}/models/marts/orders.sql`]: "select * from {{ ref('stg_raw_shop__orders') }}\n",
  })
}

async function pushTwice(dbt: Dbt): Promise<void> {
  const world = await openWorld()
  const { clone, push, repository, shop } = world
  await generateAll(shop, BEFORE)
  expect(await push()).toMatchObject({ state: 'completed', outcome: 'pushed', plan: { folder: ROOT } })
  await parse(dbt, clone())
  changeByHand(world)
  const disk = clone()
  const edited = repository.git('rev-parse', 'main')
  drift(shop.warehouse)
  await generateAll(shop, ['orders', 'stock', 'refunds'])
  await deleteUnit(shop, 'main.payments')
  const second = await push()
  expect(second).toMatchObject({ outcome: 'pushed', removed: [model('payments')] })
  expect([second.conflicts, second.kept]).toEqual([undefined, undefined])
  await parse(dbt, clone())
  const written = [
    [model('orders'), 'round(total, 2) as total', 'as the till prints it', 'where order_id > 0', 'tax'],
    [model('stock'), 'upper(item) as item'],
    [MODELS, '- name: total # in euros', 'description: What was paid.', '- name: tax'],
    [SOURCES, '# Who loads what', '# the old name', 'Everybody who buys,', 'over two lines.', 'refunds'],
  ] as const
  for (const [path, ...texts] of written)
    for (const text of texts) expect(repository.read(path)).toContain(text)
  // All else that people wrote stands byte for byte: what the plan took out was generated.
  const lost = repository
    .git('diff', '--unified=0', edited, 'main', '--', SOURCES)
    .split('\n')
    .filter((line) => /^-[^-]/.test(line))
  expect(lost.join('\n')).not.toMatch(/customers|mei|buys/i)
  await sameOnDisk(world, disk)
}

/** The command line brings the same change to a copy on disk, and finds nothing to do where the service pushed. */
async function sameOnDisk({ clone, shop }: World, disk: string): Promise<void> {
  const catalog = ['--catalog', `sqlite:${shop.warehouse}`, '--dialect', CONFIG.dialect]
  const tables = ['main.orders', 'main.stock', 'main.customers', 'main.refunds', 'main.payments']
  const at = (folder: string): readonly string[] => ['--project-dir', join(folder, ROOT)]
  const applied = await runCli(['apply', ...tables, '--prune', '--allow-dirty', ...catalog, ...at(disk)])
  expect(applied.code, applied.stderr).toBe(0)
  const pushed = clone()
  const lock = join(ROOT, 'stagecraft.lock')
  const [{ [lock]: ours, ...here }, { [lock]: theirs, ...there }] = [filesOf(pushed), filesOf(disk)]
  expect(there).toEqual(here)
  const modelsIn = (text = ''): unknown =>
    Object.fromEntries([...parseLock(text)].map(([key, line]) => [key, line.model]))
  expect(modelsIn(theirs)).toEqual(modelsIn(ours))
  const planned = await runCli([
    'plan',
    ...tables.slice(0, 4),
    '--exit-code',
    '--prune',
    ...catalog,
    ...at(pushed),
  ])
  expect(planned.code, planned.stdout).toBe(0)
  expect(readFileSync(join(pushed, ROOT, '.gitattributes'), 'utf8')).toBe('stagecraft.lock merge=union\n')
}

for (const name of ['dbt-1', 'dbt-2'] as const)
  testWithDbt(
    'two pushes to a project in a subfolder keep what people wrote, and do as the command line does, as read by',
    name,
    pushTwice,
    900_000,
  )
