import { createHash } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { pushFiles } from './push-files.ts'
import type { GoneFiles, PushOutcome } from './push-options.ts'
import { makeFolder, makeRepository, runTestGit, type TestRepository } from './testing/repositories.ts'

const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
const model = (table: string): string => `select * from {{ source('shop', '${table}') }}\n`
const sources = (...tables: readonly string[]): string =>
  `version: 2\n\nsources:\n  - name: shop\n    tables:\n${tables.map((table) => `      - name: ${table}\n        description: "${table}: of the shop"\n`).join('')}`

const SOURCES = 'models/shop/_shop__sources.yml'
const ORDERS = 'models/shop/stg_shop__orders.sql'
const CLIENTS = 'models/shop/stg_shop__clients.sql'

type Files = Readonly<Record<string, string>>

const BEFORE: Files = {
  [SOURCES]: sources('clients', 'orders'),
  [ORDERS]: model('orders'),
  [CLIENTS]: model('clients'),
}
/** The files that remain without the unit of orders. */
const AFTER: Files = { [SOURCES]: sources('clients'), [CLIENTS]: model('clients') }

interface Change {
  readonly gone?: readonly string[]
  readonly of?: GoneFiles['of']
  readonly before?: Files
  readonly overwrite?: boolean
}

function push(
  repository: TestRepository,
  files: Files,
  { before = BEFORE, gone = [ORDERS], of = 'all', overwrite = false }: Change = {},
) {
  return pushFiles({
    remote: repository.folder,
    branch: 'main',
    message: 'Staging models',
    author: { name: 'Stagecraft', email: 'stagecraft@localhost' },
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
    gone: { paths: gone, of },
    overwrite,
    lastPushed: new Map(Object.entries(before).map(([path, content]) => [path, sha(content)])),
    policy: { allowLocal: true, allowPrivateHosts: true },
    folder: makeFolder(onTestFinished),
  })
}

/** A branch with what was pushed, and with what people made of it. */
function branchWith(changes: Readonly<Record<string, string | undefined>> = {}): TestRepository {
  const repository = makeRepository(onTestFinished)
  repository.commit(BEFORE)
  if (Object.keys(changes).length > 0) repository.commit(changes)
  return repository
}

const pathsOf = (repository: TestRepository): readonly string[] =>
  repository
    .git('ls-tree', '-r', '--name-only', 'main')
    .split('\n')
    .filter((path) => path !== '')

const tablesOf = (repository: TestRepository, path = SOURCES): readonly string[] =>
  (parse(repository.read(path)) as { sources: { tables: { name: string }[] }[] }).sources.flatMap(
    ({ tables }) => tables.map(({ name }) => name),
  )

describe('a file whose unit is gone', () => {
  test('is removed, with its entry, and nothing else is', async () => {
    const repository = branchWith({ 'models/shop/mine.sql': 'select 1\n', 'README.md': 'x' })
    expect(await push(repository, AFTER)).toMatchObject({
      outcome: 'pushed',
      removed: [ORDERS],
      kept: [],
      files: [{ path: SOURCES, change: 'changed' }],
    })
    expect(pathsOf(repository)).toEqual(['README.md', SOURCES, 'models/shop/mine.sql', CLIENTS])
    expect(repository.read(SOURCES)).toBe(AFTER[SOURCES])
  })

  test('and that is gone from the branch is no trouble', async () => {
    const repository = branchWith({ [ORDERS]: undefined })
    expect(await push(repository, AFTER)).toMatchObject({ outcome: 'pushed', removed: [], kept: [] })
  })

  test('goes together with all others of its source', async () => {
    const repository = branchWith({ 'README.md': 'x' })
    const outcome = await push(repository, {}, { gone: [SOURCES, ORDERS, CLIENTS] })
    expect(outcome).toMatchObject({ outcome: 'pushed', removed: [SOURCES, ORDERS, CLIENTS], files: [] })
    expect(pathsOf(repository)).toEqual(['README.md'])
    expect(await push(repository, {}, { gone: [SOURCES, ORDERS, CLIENTS] })).toMatchObject({
      outcome: 'unchanged',
    })
  })

  test('stays when somebody changed it, and keeps its source', async () => {
    const changed = `-- mine\n${model('orders')}`
    const repository = branchWith({ [ORDERS]: changed })
    const outcome = await push(repository, AFTER)
    // With the entry kept, nothing is left to be changed.
    expect(outcome).toMatchObject({ outcome: 'unchanged', kept: [{ path: ORDERS, reason: 'changed' }] })
    expect(repository.read(ORDERS)).toBe(changed)
    expect(tablesOf(repository)).toEqual(['clients', 'orders'])
  })

  test('keeps the entry as it was, behind those that are written', async () => {
    const repository = branchWith({ [ORDERS]: `-- mine\n${model('orders')}` })
    const written = {
      ...AFTER,
      [SOURCES]: sources('clients', 'new').replace('version: 2', 'version: 2 # new'),
    }
    const first = await push(repository, written)
    expect(first).toMatchObject({ outcome: 'pushed', files: [{ path: SOURCES }] })
    expect(repository.read(SOURCES)).toBe(
      sources('clients', 'new', 'orders').replace('version: 2', 'version: 2 # new'),
    )
    // The next push knows what it wrote.
    const before = { ...BEFORE, [SOURCES]: repository.read(SOURCES) }
    expect(first.pushed.get(SOURCES)).toBe(sha(repository.read(SOURCES)))
    expect(await push(repository, written, { before })).toMatchObject({ outcome: 'unchanged' })
  })

  test('stays with all of its source’s properties when those are gone too', async () => {
    const repository = branchWith({ [ORDERS]: `-- mine\n${model('orders')}` })
    expect(await push(repository, {}, { gone: [SOURCES, ORDERS, CLIENTS] })).toMatchObject({
      removed: [CLIENTS],
      kept: [
        { path: ORDERS, reason: 'changed' },
        { path: SOURCES, reason: 'needed' },
      ],
    })
    expect(pathsOf(repository)).toEqual([SOURCES, ORDERS])
  })

  test('stays where somebody put a link in its place', async () => {
    const repository = branchWith()
    const link = `commit refs/heads/main\ncommitter A <a@b> 1767000001 +0000\ndata 1\nx\nfrom refs/heads/main^0\nM 120000 inline ${ORDERS}\ndata 2\n/x\n`
    runTestGit(repository.folder, ['fast-import', '--quiet'], link)
    expect(await push(repository, AFTER)).toMatchObject({ kept: [{ path: ORDERS, reason: 'changed' }] })
  })
})

describe('what others need', () => {
  test.each([
    ['models/marts/all.sql', `select * from {{ ref('stg_shop__orders') }}`],
    ['models/marts/all.sql', `select * from {{ ref("shop", "stg_shop__orders") }}`],
    ['models/marts/all.py', `def model(dbt, s):\n    return dbt.ref("stg_shop__orders")\n`],
    ['models/marts/all.yml', `exposures:\n  - name: x\n    depends_on: [ref('stg_shop__orders')]\n`],
    ['models/marts/all.yml', `unit_tests:\n  - name: x\n    model: stg_shop__orders\n`],
    ['macros/a.sql', `{% macro a() %}{{ ref('stg_shop__orders') }}{% endmacro %}`],
  ])('a model stays with its source for the sake of %s: %s', async (path, text) => {
    const repository = branchWith({ [path]: text })
    expect(await push(repository, AFTER)).toMatchObject({ kept: [{ path: ORDERS, reason: 'needed' }] })
    expect(tablesOf(repository)).toContain('orders')
    repository.commit({ [path]: undefined })
    const before = { ...BEFORE, [SOURCES]: repository.read(SOURCES) }
    expect(await push(repository, AFTER, { before })).toMatchObject({ removed: [ORDERS], kept: [] })
    expect(tablesOf(repository)).toEqual(['clients'])
  })

  test.each([
    ['models/marts/all.sql', `select * from {{ source( "shop" , "orders" ) }}`],
    ['snapshots/all.yml', `snapshots:\n  - name: x\n    relation: "source('shop', 'orders')"\n`],
    ['tests/all.sql', `select 1 from {{ source('shop','orders') }}`],
  ])('a source stays for the sake of %s: %s', async (path, text) => {
    const repository = branchWith({ [path]: text })
    expect(await push(repository, AFTER)).toMatchObject({ removed: [ORDERS], kept: [] })
    expect(tablesOf(repository)).toEqual(['clients', 'orders'])
  })

  test('a source goes that somebody declared elsewhere', async () => {
    const repository = branchWith({
      'models/marts/all.sql': model('orders'),
      'models/marts/sources.yml': sources('orders'),
    })
    expect(await push(repository, AFTER)).toMatchObject({ removed: [ORDERS] })
    expect(tablesOf(repository)).toEqual(['clients'])
  })

  test('is told by dbt project, of which a repository may have several', async () => {
    const within = (files: Files): Files =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`dbt/${path}`, text]))
    const repository = makeRepository(onTestFinished)
    repository.commit({
      ...within(BEFORE),
      'dbt/dbt_project.yml': 'name: x',
      'other/dbt_project.yml': 'name: y',
      'other/models/all.sql': `${model('orders')} {{ ref('stg_shop__orders') }}`,
    })
    const options = { before: within(BEFORE), gone: [`dbt/${ORDERS}`] }
    expect(await push(repository, within(AFTER), options)).toMatchObject({ removed: [`dbt/${ORDERS}`] })
    expect(tablesOf(repository, `dbt/${SOURCES}`)).toEqual(['clients'])
  })

  test('is kept also in properties of another form', async () => {
    const flow = `{version: 2, sources: [{name: shop, tables: [{name: orders, columns: [{name: id}]}, {name: clients}]}]}\n`
    const before = { ...BEFORE, [SOURCES]: flow }
    const repository = makeRepository(onTestFinished)
    repository.commit({ ...before, 'models/mine.sql': model('orders') })
    expect(await push(repository, AFTER, { before })).toMatchObject({ removed: [ORDERS] })
    expect(tablesOf(repository)).toEqual(['clients', 'orders'])
    expect(repository.read(SOURCES)).toContain('name: id')
  })

  test('is kept also when its source is gone from a file that stays', async () => {
    const two = `${sources('orders', 'clients')}  - name: bank\n    database: raw\n    tables:\n      - name: a\n      - name: b\n`
    const before = { ...BEFORE, [SOURCES]: two }
    const repository = makeRepository(onTestFinished)
    repository.commit({ ...before, 'models/mine.sql': `select * from {{ source('bank', 'b') }}` })
    await push(repository, AFTER, { before })
    const found = parse(repository.read(SOURCES)) as { sources: object[] }
    expect(found.sources[1]).toEqual({ name: 'bank', database: 'raw', tables: [{ name: 'b' }] })
  })
})

describe('a push of some units', () => {
  test('removes models of the sources that it declares, and of no other', async () => {
    const bank = {
      'models/bank/_sources.yml': sources('a').replace('shop', 'bank'),
      'models/bank/a.sql': model('a').replace('shop', 'bank'),
    }
    const before = { ...BEFORE, ...bank }
    const repository = makeRepository(onTestFinished)
    repository.commit(before)
    const gone = [ORDERS, ...Object.keys(bank)]
    expect(await push(repository, AFTER, { before, gone, of: 'sources' })).toMatchObject({
      removed: [ORDERS],
      kept: [],
    })
    expect(pathsOf(repository)).toEqual([...Object.keys(bank), SOURCES, CLIENTS].toSorted())
  })
})

test('a server that leaves contents out is asked for those that matter', async () => {
  const repository = branchWith({ 'models/mine.sql': model('orders') })
  repository.git('config', 'uploadpack.allowFilter', 'true')
  const outcome: PushOutcome = await push(repository, AFTER)
  expect(outcome).toMatchObject({ removed: [ORDERS] })
  expect(tablesOf(repository)).toEqual(['clients', 'orders'])
})

describe('two that push to one branch with overwrite', () => {
  const properties = (...tables: readonly string[]): string =>
    `version: 2\n\nmodels:\n${tables.map((table) => `  - name: stg_shop__${table}\n    description: ${table}\n`).join('')}`
  const PROPERTIES = 'models/shop/_shop__models.yml'
  const filesOf = (table: string, path: string): Files => ({
    [SOURCES]: sources(table),
    [PROPERTIES]: properties(table),
    [path]: model(table),
  })
  const pushOver = (repository: TestRepository, files: Files) =>
    push(repository, files, { gone: [], before: {}, overwrite: true })

  test('keep what each says of its models and sources, in any order', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ 'dbt_project.yml': 'name: shop\n' })
    const [orders, clients] = [filesOf('orders', ORDERS), filesOf('clients', CLIENTS)]
    for (const files of [orders, clients, orders]) await pushOver(repository, files)
    expect(repository.read(SOURCES)).toBe(sources('clients', 'orders'))
    expect(repository.read(PROPERTIES)).toBe(properties('clients', 'orders'))
    // What the other one has added makes no commit.
    expect(await pushOver(repository, clients)).toMatchObject({ outcome: 'unchanged' })
  })

  test('lose what is said of a model that is gone', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ 'dbt_project.yml': 'name: shop\n' })
    await pushOver(repository, filesOf('orders', ORDERS))
    repository.commit({ [ORDERS]: undefined })
    await pushOver(repository, filesOf('clients', CLIENTS))
    expect(repository.read(PROPERTIES)).toBe(properties('clients'))
    expect(repository.read(SOURCES)).toBe(sources('clients'))
  })
})
