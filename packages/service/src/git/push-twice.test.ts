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

function repositoryWith(files: Readonly<Record<string, string>>): TestRepository {
  const repository = makeRepository(onTestFinished)
  repository.commit(files)
  return repository
}

describe('what other files of the project define', () => {
  test.for([
    ['models/custom/stg_shop__orders.sql', FILES[MODEL] ?? '', 'the model stg_shop__orders'],
    ['models/custom/raw.yml', FILES[SOURCES] ?? '', 'the source shop.orders'],
    ['models/custom/docs.yml', FILES[PROPERTIES] ?? '', 'the properties of stg_shop__orders'],
    ['snapshots/all.sql', FILES[SNAPSHOT] ?? '', 'the snapshot snap_shop__orders'],
  ] as const)('is not defined again, with overwrite neither: %s', async ([path, text, name]) => {
    const repository = repositoryWith({ ...PROJECT, [path]: text })
    const head = repository.git('rev-parse', 'main')
    for (const overwrite of [false, true]) {
      await expect(push(repository, { overwrite })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining(`${name} in ${path}`),
        details: { reason: 'defined_twice', files: [path] },
      })
    }
    expect(repository.git('rev-parse', 'main')).toBe(head)
  })

  test('is in the folders that the project names', async () => {
    const project = 'name: shop\nmodel-paths: ["models", "transform/"]\n'
    const mine = { 'transform/stg_shop__orders.sql': 'select 1\n' }
    await expect(push(repositoryWith({ 'dbt_project.yml': project, ...mine }))).rejects.toMatchObject({
      details: { files: ['transform/stg_shop__orders.sql'] },
    })
    await expect(push(repositoryWith({ ...PROJECT, ...mine }))).resolves.toMatchObject({ outcome: 'pushed' })
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
    await expect(push(repositoryWith({ ...PROJECT, ...files }))).resolves.toMatchObject({ outcome: 'pushed' })
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
