import type { Config, Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { actionsOf, type PretendProject, pretendProject } from '../testing/pretend-project.ts'
import { refusals } from '../testing/refusals.ts'

const table = (name: string, ...columns: readonly string[]): Table => ({
  schema: 'shop',
  name,
  primaryKey: ['id'],
  columns: ['id', ...columns].map((column) => ({ name: column, type: 'integer' })),
})

const TABLES = [table('orders', 'amount', 'tax'), table('customers', 'email')]
const WIDER = [table('orders', 'amount', 'tax', 'fee'), table('customers', 'email')]
const FOLDER = 'models/staging/shop'
const SHARED = `${FOLDER}/_shop__models.yml`
const RENAMED: Config = { naming: { types: { staging: { model: 'staging_{source}__{entity}' } } } }
const OWN_FILES: Config = { options: { yamlLayout: 'model' } }
const ELSEWHERE: Config = { naming: { types: { staging: { folder: 'models/raw/{source}' } } } }

/** The part of an entry that a person writes: above it, in it and in a column. */
const OWN = {
  comment: '  # Ask Mei about refunds.\n',
  head: '    description: Orders of the shop.\n    config:\n      tags: [finance] # for the report\n',
  column: '        description: Net, in euros.\n        data_tests:\n          - not_null # since May\n',
}

function enrich({ files }: PretendProject, path: string, name = 'stg_shop__orders'): void {
  const text = files.get(path) ?? ''
  const edited = text
    .replace(
      `  - name: ${name}\n    description: One row per order.\n`,
      `${OWN.comment}  - name: ${name}\n${OWN.head}`,
    )
    .replace('      - name: amount\n', `      - name: amount\n${OWN.column}`)
  expect(Object.values(OWN).filter((part) => !edited.includes(part))).toEqual([])
  files.set(path, edited)
}

/** The only file with an entry of a model, which has everything that a person wrote. */
function placeOf({ files }: PretendProject, name: string): string {
  const places = [...files].filter(
    ([path, text]) => path.endsWith('.yml') && text.includes(`- name: ${name}`),
  )
  expect(places).toHaveLength(1)
  const [[path, text] = ['', '']] = places
  expect(Object.values(OWN).filter((part) => !text.includes(part))).toEqual([])
  return path
}

interface Entries {
  readonly models?: readonly { readonly name: string }[]
}

async function expectSettled(project: PretendProject, config: Config, tables = TABLES): Promise<void> {
  expect(refusals(project.files)).toEqual([])
  const models = [...project.files.keys()].flatMap((path) => /([^/]+)\.sql$/.exec(path)?.[1] ?? [])
  const entries = [...project.files].flatMap(([path, text]) =>
    path.endsWith('.yml') ? ((parse(text) as Entries).models ?? []).map(({ name }) => name) : [],
  )
  expect(entries.toSorted()).toEqual(models.toSorted())
  for (const fresh of [false, true])
    expect(actionsOf(await project.plan(tables, { config, prune: true, fresh }))).toEqual({})
}

for (const fresh of [false, true])
  test(`a person's entry follows its model to another name, and is kept up to date there${fresh ? ', in a fresh clone' : ''}`, async () => {
    const project = pretendProject()
    await project.apply(TABLES)
    enrich(project, SHARED)
    const before = project.files.get(SHARED) ?? ''
    const plan = await project.apply(TABLES, { config: RENAMED, prune: true, fresh })
    expect(plan.warnings).toEqual([])
    expect(project.files.get(SHARED)).toBe(before.replaceAll('- name: stg_', '- name: staging_'))
    await expectSettled(project, RENAMED)
    await project.apply(WIDER, { config: RENAMED, prune: true, fresh })
    expect(project.files.get(placeOf(project, 'staging_shop__orders'))).toMatch(/^ +- name: fee$/m)
    await expectSettled(project, RENAMED, WIDER)
    await project.apply(WIDER, { prune: true, fresh })
    expect(placeOf(project, 'stg_shop__orders')).toBe(SHARED)
    await expectSettled(project, {}, WIDER)
  })

test('entries move between layouts and folders in any order, with what a person wrote', async () => {
  const places: readonly (readonly [Config, name: string, path: string])[] = [
    [OWN_FILES, 'stg_shop__orders', `${FOLDER}/stg_shop__orders.yml`],
    [{ ...OWN_FILES, ...RENAMED }, 'staging_shop__orders', `${FOLDER}/staging_shop__orders.yml`],
    [{ ...OWN_FILES, ...ELSEWHERE }, 'stg_shop__orders', 'models/raw/shop/stg_shop__orders.yml'],
    [ELSEWHERE, 'stg_shop__orders', 'models/raw/shop/_shop__models.yml'],
    [RENAMED, 'staging_shop__orders', SHARED],
    [{}, 'stg_shop__orders', SHARED],
  ]
  const project = pretendProject()
  await project.apply(TABLES)
  enrich(project, SHARED)
  for (const [config, name, path] of [...places, ...places.toReversed()]) {
    await project.apply(TABLES, { config, prune: true })
    expect(placeOf(project, name)).toBe(path)
    await expectSettled(project, config)
  }
})

test('without pruning a plan says in one line that entries belong elsewhere', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  enrich(project, SHARED)
  const files = new Map(project.files)
  for (let round = 0; round < 2; round++) {
    const plan = await project.apply(TABLES, { config: OWN_FILES })
    expect(plan.files.flatMap(({ notes }) => notes)).toEqual([
      'stg_shop__orders: edited by hand: description changed',
      '2 entries belong to other files by the current configuration; --prune moves them',
    ])
    expect(project.files).toEqual(files)
  }
  const moved = await project.apply(TABLES, { config: OWN_FILES, prune: true, only: ['orders'] })
  expect(moved.files.flatMap(({ notes, path }) => notes.map((note) => `${path}: ${note}`))).toEqual([
    `${SHARED}: stg_shop__orders moved to ${FOLDER}/stg_shop__orders.yml`,
    `${FOLDER}/stg_shop__orders.yml: stg_shop__orders: edited by hand: description changed`,
    `${FOLDER}/stg_shop__orders.yml: stg_shop__orders moved from ${SHARED}`,
  ])
  expect(project.files.get(SHARED)).toContain('stg_shop__customers')
  const rest = await project.plan(TABLES, { config: OWN_FILES })
  expect(rest.files.flatMap(({ notes }) => notes)).toEqual([
    `stg_shop__customers belongs to ${FOLDER}/stg_shop__customers.yml by the current configuration; --prune moves it`,
    'stg_shop__orders: edited by hand: description changed',
  ])
  await project.apply(TABLES, { config: OWN_FILES, prune: true })
  await expectSettled(project, OWN_FILES)
})

test('an entry that a person put into a file stays there, under the new name', async () => {
  const own = `${FOLDER}/important.yml`
  const project = pretendProject()
  await project.apply(TABLES)
  enrich(project, SHARED)
  const [head = '', orders = ''] = (project.files.get(SHARED) ?? '').split(/(?= {2}# Ask Mei)/)
  project.files.set(SHARED, head)
  project.files.set(own, `version: 2\nmodels:\n${orders}`)
  for (const config of [OWN_FILES, { ...OWN_FILES, ...RENAMED }, RENAMED, ELSEWHERE, {}]) {
    await project.apply(TABLES, { config, prune: true })
    const name =
      config.naming?.types?.staging?.model === undefined ? 'stg_shop__orders' : 'staging_shop__orders'
    expect(placeOf(project, name)).toBe(own)
    await expectSettled(project, config)
  }
})

test('a model whose entry cannot be renamed keeps its name, and the rest of the plan applies', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  const broken = (project.files.get(SHARED) ?? '').replace(
    '- name: stg_shop__orders\n',
    '- name: !!str &orders "stg_shop__orders"\n    alias: *orders\n',
  )
  project.files.set(SHARED, broken)
  const plan = await project.apply(TABLES, { config: RENAMED, prune: true })
  const notes = plan.files.flatMap((file) => (file.path.endsWith('orders.sql') ? file.notes : []))
  expect(notes).toEqual([
    expect.stringContaining('is called staging_shop__orders by the current configuration; it stays, because'),
  ])
  expect(project.files.has(`${FOLDER}/staging_shop__customers.sql`)).toBe(true)
  expect(project.files.get(SHARED)).toBe(broken.replace('stg_shop__customers', 'staging_shop__customers'))
  expect(plan.files.filter(({ action }) => action === 'conflict')).toEqual([])
})

test('models of a file that is no YAML keep their names until it is mended', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  enrich(project, SHARED)
  const before = project.files.get(SHARED) ?? ''
  project.files.set(SHARED, `${before}{% if %}\n`)
  await project.apply(TABLES, { config: RENAMED, prune: true })
  expect(project.files.has(`${FOLDER}/stg_shop__orders.sql`)).toBe(true)
  expect(project.files.get(SHARED)).toBe(`${before}{% if %}\n`)
  project.files.set(SHARED, before)
  await project.apply(TABLES, { config: RENAMED, prune: true })
  expect(placeOf(project, 'staging_shop__orders')).toBe(SHARED)
  await expectSettled(project, RENAMED)
})

test('an entry with an alias of its file stays in the file, and the plan says why', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  enrich(project, SHARED)
  const text = (project.files.get(SHARED) ?? '')
    .replace('models:\n', 'x-tags: &tags [finance]\nmodels:\n')
    .replace('tags: [finance] #', 'tags: *tags #')
  project.files.set(SHARED, text)
  for (let round = 0; round < 2; round++) {
    const plan = await project.apply(TABLES, { config: OWN_FILES, prune: true })
    const notes = plan.files.find(({ path }) => path === SHARED)?.notes ?? []
    expect(notes.filter((note) => note.startsWith('stg_shop__orders stays here'))).toHaveLength(1)
    expect(project.files.get(SHARED)).toContain('tags: *tags # for the report')
    expect(project.files.get(`${FOLDER}/stg_shop__customers.yml`)).toContain('- name: stg_shop__customers')
  }
})

test('an entry follows a model that a person renamed', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  enrich(project, SHARED)
  const path = `${FOLDER}/stg_shop__orders.sql`
  project.files.set(`${FOLDER}/stg_purchases.sql`, project.files.get(path) ?? '')
  project.files.delete(path)
  await project.apply(TABLES)
  expect(placeOf(project, 'stg_purchases')).toBe(SHARED)
  await expectSettled(project, {})
})

const LINKED = [
  {
    ...table('orders', 'customer_id'),
    foreignKeys: [
      {
        columns: ['customer_id'],
        references: { table: { schema: 'shop', name: 'customers' }, columns: ['id'] },
      },
    ],
  },
  table('customers', 'email'),
]
const CLIENTS: Config = { sources: { shop: { tables: { customers: { model: 'stg_clients' } } } } }

for (const fresh of [false, true])
  test(`a generated test follows a renamed model in an entry that a person edited${fresh ? ', in a fresh clone' : ''}`, async () => {
    const project = pretendProject()
    await project.apply(LINKED)
    const generated = project.files.get(SHARED) ?? ''
    const edited = generated.replace('One row per order.', 'Orders of the shop.')
    project.files.set(SHARED, edited)
    const { warnings } = await project.apply(LINKED, { config: CLIENTS, prune: true, fresh })
    expect(warnings).toEqual([])
    expect(project.files.get(SHARED)).toBe(edited.replaceAll('stg_shop__customers', 'stg_clients'))
    expect([...project.files.keys()]).toContain(`${FOLDER}/stg_clients.sql`)
    expect(actionsOf(await project.plan(LINKED, { config: CLIENTS, prune: true, fresh }))).toEqual({})
  })

test.each([
  ['another entry', 'stg_shop__orders', 'amount_of'],
  ['its own entry', 'stg_shop__customers', 'referrer_id'],
])('a model keeps its name while a test that a person wrote in %s calls it so', async (_, entry, column) => {
  const project = pretendProject()
  await project.apply(LINKED)
  const own = `      - name: ${column}\n        data_tests:\n          - relationships:\n              arguments:\n                to: ref('stg_shop__customers')\n                field: email\n`
  const text = project.files.get(SHARED) ?? ''
  const start = text.indexOf('    columns:\n', text.indexOf(`- name: ${entry}`)) + '    columns:\n'.length
  project.files.set(SHARED, text.slice(0, start) + own + text.slice(start))
  const before = new Map(project.files)
  const plan = await project.apply(LINKED, { config: CLIENTS, prune: true })
  expect(project.files).toEqual(before)
  expect(plan.files.flatMap(({ notes }) => notes).join()).toContain(
    `it stays, because ${SHARED} reads it by its current name`,
  )
  project.files.set(SHARED, text)
  await project.apply(LINKED, { config: CLIENTS, prune: true })
  expect([...project.files.keys()]).toContain(`${FOLDER}/stg_clients.sql`)
})
