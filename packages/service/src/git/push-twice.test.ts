import { createHash } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pushFiles } from './push-files.ts'
import type { PushOptions, PushOutcome } from './push-options.ts'
import { makeFolder, makeRepository, type TestRepository } from './testing/repositories.ts'

const MODEL = 'models/shop/stg_shop__orders.sql'
const SOURCES = 'models/shop/_shop__sources.yml'
const PROPERTIES = 'models/shop/_shop__models.yml'
const SNAPSHOT = 'snapshots/shop/snap_shop__orders.sql'

const FILES: Readonly<Record<string, string>> = {
  [MODEL]: "select * from {{ source('shop', 'orders') }}\n",
  [SOURCES]: 'sources:\n  - name: shop\n    tables:\n      - name: orders\n',
  [PROPERTIES]: 'models:\n  - name: stg_shop__orders\n    description: Orders.\n',
  [SNAPSHOT]: '{% snapshot snap_shop__orders %}\nselect 1\n{% endsnapshot %}\n',
}
const PROJECT = { 'dbt_project.yml': 'name: shop\n' }
const FILES_OF_TWO = Object.entries({
  [MODEL]: FILES[MODEL] ?? '',
  'models/shop/stg_shop__clients.sql': "select * from {{ source('shop', 'clients') }}\n",
  [SOURCES]:
    '# of the shop\nsources:\n  - name: shop\n    tables:\n      - name: clients\n        description: Clients.\n\n      - name: orders\n        description: Orders.\n',
  [PROPERTIES]:
    'models:\n  - name: stg_shop__clients\n    description: Clients.\n\n  - name: stg_shop__orders\n    description: Orders.\n',
}).map(([path, content]) => ({ path, content }))

function push(repository: TestRepository, options: Partial<PushOptions> = {}): Promise<PushOutcome> {
  return pushFiles({
    remote: repository.folder,
    branch: 'main',
    message: 'Staging models',
    author: { name: 'Stagecraft', email: 'stagecraft@localhost' },
    files: Object.entries(FILES).map(([path, content]) => ({ path, content })),
    lastPushed: new Map(),
    policy: { allowLocal: true, allowPrivateHosts: true },
    folder: makeFolder(onTestFinished),
    ...options,
  })
}

function pathsOf(repository: TestRepository): readonly string[] {
  return repository.git('ls-tree', '-r', '--name-only', 'main').split('\n')
}

function repositoryWith(files: Readonly<Record<string, string>>): TestRepository {
  const repository = makeRepository(onTestFinished)
  repository.commit(files)
  return repository
}

describe('what other files of the project define', () => {
  test.for([
    ['models/custom/raw.yml', FILES[SOURCES] ?? '', SOURCES, 'the source shop.orders'],
    ['models/custom/docs.yml', FILES[PROPERTIES] ?? '', PROPERTIES, 'the properties of stg_shop__orders'],
  ] as const)('is used as it stands there, with overwrite too: %s', async ([definedIn, text, path, name]) => {
    for (const overwrite of [false, true]) {
      const repository = repositoryWith({ ...PROJECT, [definedIn]: text })
      const outcome = await push(repository, { overwrite })
      expect(outcome).toMatchObject({
        outcome: 'pushed',
        skipped: [{ path, name, definedIn, outcome: 'used' }],
      })
      expect(pathsOf(repository)).toEqual(
        ['dbt_project.yml', definedIn, ...Object.keys(FILES).filter((one) => one !== path)].toSorted(),
      )
      expect(await push(repository, { lastPushed: outcome.pushed })).toMatchObject({
        outcome: 'unchanged',
        skipped: [{ path, name }],
      })
    }
  })

  test.for([
    ['models/custom/stg_shop__orders.sql', FILES[MODEL] ?? '', MODEL, 'the model stg_shop__orders'],
    ['snapshots/all.sql', FILES[SNAPSHOT] ?? '', SNAPSHOT, 'the snapshot snap_shop__orders'],
  ] as const)('keeps a model from being pushed, and no other: %s', async ([definedIn, text, path, name]) => {
    const repository = repositoryWith({ ...PROJECT, [definedIn]: text })
    const outcome = await push(repository)
    expect(outcome).toMatchObject({ skipped: [{ path, name, definedIn, outcome: 'refused' }] })
    const isLost = (one: string): boolean => one === path || (path === MODEL && one === PROPERTIES)
    expect(pathsOf(repository)).toEqual(
      ['dbt_project.yml', definedIn, ...Object.keys(FILES).filter((one) => !isLost(one))].toSorted(),
    )
  })

  test('keeps the table of another place of the warehouse from being pushed, and no other', async () => {
    const theirs = 'sources:\n  - name: shop\n    schema: old_shop\n    tables:\n      - name: orders\n'
    const repository = repositoryWith({ ...PROJECT, 'models/raw.yml': theirs })
    const outcome = await push(repository, { files: FILES_OF_TWO })
    const name = 'the model stg_shop__orders'
    expect(outcome).toMatchObject({
      skipped: [{ path: MODEL, name, definedIn: 'models/raw.yml', outcome: 'refused' }],
    })
    expect(repository.read(SOURCES)).toBe(
      '# of the shop\nsources:\n  - name: shop\n    tables:\n      - name: clients\n        description: Clients.\n',
    )
    expect(repository.read(PROPERTIES)).toBe(
      'models:\n  - name: stg_shop__clients\n    description: Clients.\n',
    )
    expect(pathsOf(repository)).not.toContain(MODEL)
    const same = theirs.replace('old_shop', '"{{ var(\'shop\') }}"')
    const other = repositoryWith({ ...PROJECT, 'models/raw.yml': same })
    expect((await push(other, { files: FILES_OF_TWO })).skipped).toMatchObject([{ outcome: 'used' }])
    expect(pathsOf(other)).toContain(MODEL)
  })

  test('leaves nothing of a push whose models are all refused', async () => {
    const repository = repositoryWith({ ...PROJECT, 'models/custom/stg_shop__orders.sql': 'select 1\n' })
    const head = repository.git('rev-parse', 'main')
    const files = [MODEL, SOURCES, PROPERTIES].map((path) => ({ path, content: FILES[path] ?? '' }))
    for (const overwrite of [false, true]) {
      await expect(push(repository, { files, overwrite })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining('the model stg_shop__orders in models/custom/stg_shop__orders.sql'),
        details: { reason: 'defined_twice', files: ['models/custom/stg_shop__orders.sql'] },
      })
    }
    expect(repository.git('rev-parse', 'main')).toBe(head)
  })

  test('is in the folders that the project names', async () => {
    const project = 'name: shop\nmodel-paths: ["models", "transform/"]\n'
    const mine = { 'transform/stg_shop__orders.sql': 'select 1\n' }
    await expect(push(repositoryWith({ 'dbt_project.yml': project, ...mine }))).resolves.toMatchObject({
      skipped: [{ definedIn: 'transform/stg_shop__orders.sql' }],
    })
    await expect(push(repositoryWith({ ...PROJECT, ...mine }))).resolves.toMatchObject({ skipped: [] })
  })

  test.for([
    ['what dbt compiled', { 'target/compiled/shop/models/stg_shop__orders.sql': 'select 1\n' }],
    ['packages', { 'dbt_packages/x/models/raw.yml': FILES[SOURCES] ?? '' }],
    ['another project', { 'b/dbt_project.yml': 'name: b\n', 'b/models/raw.yml': FILES[SOURCES] ?? '' }],
    ['what is turned off', { 'models/old/stg_shop__orders.sql': '{{ config(enabled=false) }}\nselect 1\n' }],
    [
      'other tables of the source',
      { 'models/raw.yml': 'sources:\n  - name: shop\n    tables:\n      - name: clients\n' },
    ],
  ] as const)('is not counted in %s', async ([, files]) => {
    const outcome = await push(repositoryWith({ ...PROJECT, ...files }))
    expect(outcome).toMatchObject({ outcome: 'pushed', skipped: [] })
  })
})

test('a model that moves with what it is generated to leaves its old place, whoever refers to it', async () => {
  const old = 'models/old/stg_shop__orders.sql'
  const repository = repositoryWith({
    ...PROJECT,
    [old]: 'select 1\n',
    'models/marts/orders.sql': "select * from {{ ref('stg_shop__orders') }}\n",
  })
  const lastPushed = new Map([[old, createHash('sha256').update('select 1\n').digest('hex')]])
  const outcome = await push(repository, { gone: { paths: [old], of: 'all' }, lastPushed })
  expect(outcome).toMatchObject({ outcome: 'pushed', removed: [old], kept: [] })
})
