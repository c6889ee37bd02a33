import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { parseLock } from '@stagecraft/dbt'
import { describe, expect, onTestFinished, test } from 'vitest'
import { printUnits } from '../generations/newest-files.ts'
import { pushFiles } from '../git/push-files.ts'
import type { PushOptions, PushOutcome } from '../git/push-options.ts'
import { recordingGit } from '../git/testing/recording-git.ts'
import { makeFolder, makeRepository, type TestRepository } from '../git/testing/repositories.ts'
import type { ProjectSettings } from '../projects/project-settings.ts'
import { planUnits } from './plan-units.ts'
import type { Snapshot } from './push-snapshot.ts'

const SETTINGS: ProjectSettings = { name: 'Shop', dialect: 'duckdb', config: {} }
const PROJECT = { 'dbt_project.yml': 'name: shop\n' }
const ORDERS = 'models/staging/shop/stg_shop__orders.sql'
const CLIENTS = 'models/staging/shop/stg_shop__clients.sql'
const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

interface UnitTable {
  readonly columns?: readonly string[]
  readonly database?: string
  readonly source?: string
}

/** A unit of a table `shop.orders` with columns of text. */
function unitOf(name: string, { columns = ['amount'], database, source = name }: UnitTable = {}) {
  const [schema = '', table = ''] = name.split('.')
  const all = ['id', ...columns].map((column) => ({ name: column, type: 'text' }))
  const place = { ...(database !== undefined && { database }), schema, name: table }
  return {
    unitId: `unit_${name}`,
    isAsked: true,
    dialect: 'duckdb',
    item: {
      request: { type: 'staging', source, options: { addTests: true, addDocs: true } },
      table: { ...place, kind: 'table', columns: all },
    },
  } as const
}

interface Change extends Partial<Omit<PushOptions, 'planner' | 'files'>> {
  readonly folder?: string
  readonly settings?: ProjectSettings
  /** What was pushed before, by path. */
  readonly before?: ReadonlyMap<string, string>
}

async function push(
  repository: TestRepository,
  units: Snapshot['units'],
  { before = new Map(), folder, settings = SETTINGS, ...more }: Change = {},
): Promise<PushOutcome> {
  const files = await printUnits(units, settings, undefined)
  const pushed = new Map([...before].map(([path, hash]) => [path, [hash]]))
  const snapshot = { units, paths: files.map(({ path }) => ({ unitId: 'unit', path })) }
  const alive = new Set(files.map(({ path }) => path))
  return await pushFiles({
    remote: repository.folder,
    branch: 'main',
    message: 'Staging models',
    author: { name: 'Stagecraft', email: 'stagecraft@localhost' },
    files,
    gone: { paths: [...pushed.keys()].filter((path) => !alive.has(path)), of: 'all' },
    lastPushed: pushed,
    planner: planUnits({
      snapshot,
      settings,
      isPartial: false,
      pushed,
      files,
      overwrite: false,
      folder,
      readGenerated: () => Promise.resolve([]),
    }),
    policy: { allowLocal: true, allowPrivateHosts: true },
    folder: makeFolder(onTestFinished),
    ...more,
  })
}

const pathsOf = (repository: TestRepository): readonly string[] =>
  repository.git('ls-tree', '-r', '--name-only', 'main').split('\n')

test('somebody who changes the same model meanwhile finds both changes in it', async () => {
  const repository = makeRepository(onTestFinished)
  repository.commit(PROJECT)
  const { pushed } = await push(repository, [unitOf('shop.orders')])
  const edited = `${repository.read(ORDERS)}-- mine\n`
  const once = join(makeFolder(onTestFinished), 'once')
  const stream = `commit refs/heads/main\\ncommitter Ann <ann@example.com> 1767000000 +0000\\ndata 5\\nhuman\\nfrom refs/heads/main^0\\nM 100644 inline ${ORDERS}\\ndata ${Buffer.byteLength(edited)}\\n${edited
    .replaceAll('\n', '\\n')
    .replaceAll('%', '%%')
    .replaceAll("'", String.raw`'\''`)}\\n`
  const race = `if [ "$1" = push ] && [ ! -e '${once}' ]; then touch '${once}'; printf '${stream}' | env -i PATH="$PATH" git --git-dir='${repository.folder}' fast-import --quiet; fi`
  const { program } = recordingGit(onTestFinished, race)
  const outcome = await push(repository, [unitOf('shop.orders', { columns: ['amount', 'tax'] })], {
    before: pushed,
    programs: { git: program },
  })
  expect(outcome).toMatchObject({ outcome: 'pushed', conflicts: [] })
  expect(repository.read(ORDERS)).toContain('-- mine')
  expect(repository.read(ORDERS)).toContain('tax')
  expect(repository.git('log', '--format=%s')).toBe('Staging models\nhuman\nStaging models\nhuman')
})

test('a commit that arrived without an answer is found, with its plan', async () => {
  const repository = makeRepository(onTestFinished)
  repository.commit(PROJECT)
  const sent: NonNullable<PushOptions['sent']>[number][] = []
  const trailers = { 'Stagecraft-Push': 'push_1' }
  const options = { trailers, onSend: async (commit: (typeof sent)[number]) => void sent.push(commit) }
  const first = await push(repository, [unitOf('shop.orders')], options)
  repository.commit({ 'README.md': 'more\n' })
  const again = await push(repository, [unitOf('shop.orders')], { trailers, sent })
  expect(again).toEqual(first)
  expect(again.plan?.counts).toMatchObject({ create: 3 })
})

describe('what other files define', () => {
  test('keeps the table of another place from being pushed, and no other', async () => {
    const repository = makeRepository(onTestFinished)
    const theirs = 'sources:\n  - name: shop\n    schema: old_shop\n    tables:\n      - name: orders\n'
    repository.commit({ ...PROJECT, 'models/raw.yml': theirs })
    const outcome = await push(repository, [unitOf('shop.orders'), unitOf('shop.clients')])
    expect(outcome).toMatchObject({
      outcome: 'pushed',
      skipped: [{ name: 'the model stg_shop__orders', definedIn: 'models/raw.yml', outcome: 'refused' }],
    })
    expect(pathsOf(repository)).toContain(CLIENTS)
    expect(pathsOf(repository)).not.toContain(ORDERS)
    expect(repository.read('models/raw.yml')).toBe(theirs)
    expect([...parseLock(repository.read('stagecraft.lock')).keys()]).toEqual(['shop.clients'])
  })

  test('leaves nothing of a push of which no model is left', async () => {
    const repository = makeRepository(onTestFinished)
    const theirs = 'sources:\n  - name: shop\n    schema: old_shop\n    tables:\n      - name: orders\n'
    const head = repository.commit({ ...PROJECT, 'models/raw.yml': theirs })
    expect(await push(repository, [unitOf('shop.orders')])).toMatchObject({
      outcome: 'unchanged',
      skipped: [{ path: ORDERS, definedIn: 'models/raw.yml', outcome: 'refused' }],
      conflicts: [
        { path: ORDERS, reasons: [expect.stringContaining('declares shop.orders as old_shop.orders')] },
      ],
    })
    expect(repository.git('rev-parse', 'main')).toBe(head)
  })

  test('is another model of the same name: that one is in conflict, and the rest is pushed', async () => {
    const repository = makeRepository(onTestFinished)
    repository.commit({ ...PROJECT, 'models/custom/stg_shop__orders.sql': 'select 1 as id\n' })
    const outcome = await push(repository, [unitOf('shop.orders'), unitOf('shop.clients')])
    expect(outcome).toMatchObject({
      skipped: [{ path: ORDERS, definedIn: 'models/custom/stg_shop__orders.sql', outcome: 'refused' }],
      conflicts: [{ path: ORDERS }],
    })
    expect(pathsOf(repository)).toContain(CLIENTS)
    expect(pathsOf(repository)).not.toContain(ORDERS)
  })
})

test('files that were pushed beside the project move into it', async () => {
  const repository = makeRepository(onTestFinished)
  const units = [unitOf('shop.orders')]
  repository.commit({ 'README.md': 'x\n' })
  const { pushed } = await push(repository, units)
  expect(pathsOf(repository)).toContain(ORDERS)
  repository.commit({ 'a/b/dbt_project.yml': 'name: shop\n' })
  const outcome = await push(repository, units, { before: pushed })
  expect(outcome).toMatchObject({ outcome: 'pushed', removed: expect.arrayContaining([ORDERS]) })
  expect(pathsOf(repository).filter((path) => path.endsWith('.sql'))).toEqual([`a/b/${ORDERS}`])
  const after = await push(repository, units, { before: outcome.pushed })
  expect(after).toMatchObject({ outcome: 'unchanged' })
  expect(outcome.pushed.get(`a/b/${ORDERS}`)).toBe(sha(repository.read(`a/b/${ORDERS}`)))
})

test('a table that the lock spells in another way is the same table', async () => {
  const repository = makeRepository(onTestFinished)
  repository.commit(PROJECT)
  await push(repository, [unitOf('shop.orders', { database: 'raw', source: 'raw.shop.orders' })])
  const next = unitOf('shop.orders', { database: 'raw', columns: ['amount', 'tax'] })
  await push(repository, [next])
  expect(repository.read(ORDERS)).toContain('tax')
  expect([...parseLock(repository.read('stagecraft.lock')).keys()]).toEqual(['raw.shop.orders'])
  expect(pathsOf(repository).filter((path) => path.endsWith('.sql'))).toEqual([ORDERS])
})

test('tables of one name in two schemas, and names that the configuration changes, keep apart', async () => {
  const repository = makeRepository(onTestFinished)
  repository.commit(PROJECT)
  const units = [unitOf('shop.orders'), unitOf('bank.orders')]
  const first = await push(repository, units)
  expect(pathsOf(repository)).toContain('models/staging/bank/stg_bank__orders.sql')
  const settings = { ...SETTINGS, config: { sources: { shop: { name: 'store' } } } }
  const outcome = await push(repository, units, { before: first.pushed, settings })
  expect(outcome).toMatchObject({ outcome: 'pushed', removed: expect.arrayContaining([ORDERS]), kept: [] })
  const paths = pathsOf(repository).filter((path) => path.endsWith('.sql'))
  expect(paths).toContain('models/staging/bank/stg_bank__orders.sql')
  expect(paths).not.toContain(ORDERS)
  expect(paths).toHaveLength(2)
})
