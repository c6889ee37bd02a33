import type { ApiHandlers } from '@stagecraft/spec/api'
import { strToU8, zipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { analysisHandlers } from '../../packages/service/src/analyses/analysis-handlers.ts'
import { analysisJobs } from '../../packages/service/src/analyses/run-analysis.ts'
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import { openShop, type Shop } from './open-shop.ts'
import { addProject, callOf } from './open-test-context.ts'
import { openShopWithGit, untilEnded as untilPushed } from './push-shop.ts'

const FILES = {
  'warehouse/dbt_project.yml': 'name: shop\n',
  'warehouse/models/sources.yml': 'sources:\n  - name: shop\n    tables:\n      - name: orders\n',
  'warehouse/models/marts/fct_orders.sql': "select * from {{ source('shop', 'orders') }}\n",
  'warehouse/models/fct_bad.sql': "select * from {{ ref('fct_order') }}\n",
  'warehouse/models/fct_meant.sql':
    "-- stagecraft: ignore SC403 small\nselect * from {{ source('shop', 'orders') }} -- \0\n",
}

/** Each push starts a thread, which loads all rules. */
const SLOW = 300_000

const handlersOf = ({ context }: Shop): ReturnType<typeof analysisHandlers> => analysisHandlers(context)

async function create(shop: Shop, body: object = {}): Promise<string> {
  return (await handlersOf(shop).createAnalysis(callOf(shop.caller, { body }))).data.id
}

async function get(shop: Shop, analysisId: string) {
  return (await handlersOf(shop).getAnalysis(callOf(shop.caller, { params: { analysisId } }))).data
}

async function untilEnded(shop: Shop, analysisId: string) {
  await expect
    .poll(async () => (await get(shop, analysisId)).state)
    .toMatch(/^(?:completed|failed|cancelled)$/)
  return await get(shop, analysisId)
}

async function findings(shop: Shop, analysisId: string, query: object = {}) {
  const { data, nextCursor } = await handlersOf(shop).listFindings(
    callOf(shop.caller, { params: { analysisId }, query: { limit: 50, ...query } }),
  )
  return { items: data.items, nextCursor }
}

const archiveOf = (files: Readonly<Record<string, string>>): string => {
  const packed = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)]))
  return Buffer.from(zipSync(packed)).toString('base64')
}

await describeEachStore('analyses', MIGRATIONS, (open) => {
  test('check the branch of the repository, and tell what is new and what is fixed', async () => {
    const { repository, shop } = await openShopWithGit(open, { files: FILES })
    shop.work()
    const first = await untilEnded(shop, await create(shop))
    expect(first).toMatchObject({
      state: 'completed',
      origin: 'repository',
      folder: 'warehouse',
      commit: repository.git('rev-parse', 'HEAD'),
      models: 3,
      findings: { error: 1, warning: 1, new: first.findings?.new ?? 0, unchanged: 0, fixed: 0 },
      suppressed: 1,
    })
    expect(first.score?.total).toBeLessThan(100)
    expect(first.progress).toBeUndefined()
    repository.commit({
      'warehouse/models/fct_bad.sql': "select * from {{ ref('fct_orders') }}\n",
      'warehouse/models/marts/fct_more.sql': "\n\nselect * from {{ source('shop', 'orders') }}\n",
    })
    const second = await untilEnded(shop, await create(shop))
    expect(second.findings).toMatchObject({ error: 0, warning: 2, new: 1, fixed: 1 })
    const states = (await findings(shop, second.id)).items.map(
      ({ path, rule, state }) => `${state} ${rule} ${path}`,
    )
    expect(states).toEqual([
      'new SC403 models/marts/fct_more.sql',
      'unchanged SC403 models/marts/fct_orders.sql',
      'fixed SC308 models/fct_bad.sql',
    ])
    const history = await handlersOf(shop).listAnalyses(callOf(shop.caller, { query: { limit: 5 } }))
    expect(history.data.items.map(({ score }) => score?.total)).toEqual([
      second.score?.total,
      first.score?.total,
    ])
    expect(await shop.events()).toEqual([])
  })

  test(
    'push fixes to a branch, and replace nothing else',
    async () => {
      const old =
        'version: 2 # by hand\n\nmodels:\n  - name: fct_orders\n    columns:\n      - name: id\n        tests: [unique]\n'
      const settings = "name: shop\nrequire-dbt-version: '>=1.10.0'\n"
      const files = {
        ...FILES,
        'warehouse/dbt_project.yml': settings,
        'warehouse/models/old.yml': old,
        'warehouse/models/unused.sql': 'select 1 as id -- stagecraft: ignore SC403 gone\n',
      }
      const { repository, shop } = await openShopWithGit(open, { files })
      shop.work()
      const { id } = await untilEnded(shop, await create(shop))
      const fix = async (body: object) => {
        const call = callOf(shop.caller, { params: { analysisId: id }, body: { branch: 'fixes', ...body } })
        return await untilPushed(shop, (await handlersOf(shop).fixAnalysis(call)).data.id)
      }
      const planned = await fix({ dryRun: true })
      expect(planned).toMatchObject({ state: 'completed', outcome: 'planned', analysisId: id })
      expect(planned.plan?.files.map(({ path }) => path)).toEqual(['warehouse/models/unused.sql'])
      expect(await shop.events()).toEqual([])
      const pushed = await fix({})
      expect(pushed).toMatchObject({
        outcome: 'pushed',
        message: `Fix what analysis ${id} found`,
        files: [{ path: 'warehouse/models/unused.sql', change: 'changed', lines: 1 }],
      })
      expect(repository.read('warehouse/models/unused.sql', 'fixes')).toBe('select 1 as id\n')
      expect(repository.git('diff', '--name-only', 'HEAD', 'fixes')).toBe('warehouse/models/unused.sql')
      expect((await shop.events()).map(({ event }) => event)).toEqual(['push.completed'])
      expect(await fix({})).toMatchObject({ outcome: 'unchanged' })
      expect(await fix({ rules: ['SC308'], branch: 'none' })).toMatchObject({ outcome: 'unchanged' })
      const archived = await untilEnded(shop, await create(shop, { archive: archiveOf(FILES) }))
      const call = callOf(shop.caller, { params: { analysisId: archived.id }, body: { branch: 'x' } })
      await expect(handlersOf(shop).fixAnalysis(call)).rejects.toThrow(/expected an analysis of a repository/)
    },
    SLOW,
  )

  test('list findings by files, page by page and filtered', async () => {
    const shop = await openShop(open)
    shop.work()
    const { id } = await untilEnded(
      shop,
      await create(shop, { archive: archiveOf(FILES), path: 'warehouse' }),
    )
    const all = await findings(shop, id)
    expect(all.items.map(({ path }) => path)).toEqual(all.items.map(({ path }) => path).toSorted())
    const [bad] = all.items
    expect(bad).toMatchObject({
      rule: 'SC308',
      path: 'models/fct_bad.sql',
      start: { line: 1, column: 18 },
      text: "select * from {{ ref('fct_order') }}",
      help: 'did you mean fct_orders?',
      subject: { kind: 'model', name: 'fct_bad' },
      state: 'new',
    })
    const one = await findings(shop, id, { limit: 1 })
    const next = await findings(shop, id, { limit: 1, cursor: one.nextCursor })
    expect([...one.items, ...next.items]).toEqual(all.items.slice(0, 2))
    const rules = async (query: object): Promise<readonly string[]> =>
      (await findings(shop, id, query)).items.map(({ rule }) => rule)
    expect(await rules({ rule: 'sc403' })).toEqual(['SC403'])
    expect(await rules({ rule: 'missing-reference' })).toEqual(['SC308'])
    await expect(rules({ rule: 'missing-referenc' })).rejects.toThrow(/expected the id or the name of a rule/)
    expect(await rules({ severity: 'error' })).toEqual(['SC308'])
    expect(await rules({ path: 'models/marts/' })).toEqual(['SC403'])
    expect(await rules({ path: 'models/marts/fct_orders.sql' })).toEqual(['SC403'])
    expect(await rules({ path: 'models/mart' })).toEqual([])
    expect(await rules({ state: 'fixed' })).toEqual([])
  })

  test('keep no archive, and run nothing of it', async () => {
    const shop = await openShop(open)
    shop.work()
    const endless = '{% macro endless() %}{% for i in range(100000000) %}{{ i }}{% endfor %}{% endmacro %}\n'
    const files = {
      ...FILES,
      'warehouse/macros/m.sql': endless,
      'warehouse/models/m.sql': 'select {{ endless() }} as id\n',
    }
    const done = await untilEnded(shop, await create(shop, { archive: archiveOf(files) }))
    expect(done).toMatchObject({ state: 'completed', origin: 'archive', folder: 'warehouse' })
    const row = await shop.context.store.db.selectFrom('analyses').select('archive').executeTakeFirstOrThrow()
    expect(row.archive).toBeNull()
  })

  test('fail with the reason', async () => {
    const shop = await openShop(open)
    shop.work()
    const of = async (body: object) => (await untilEnded(shop, await create(shop, body))).error
    expect(await of({ archive: archiveOf({ 'README.md': 'x' }) })).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('dbt_project.yml') as unknown,
    })
    expect(await of({ archive: archiveOf({ '../dbt_project.yml': 'name: x' }) })).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { reason: 'archive' },
    })
    expect(await of({ archive: archiveOf({ 'dbt_project.yml': 'name: [' }) })).toMatchObject({
      code: 'INVALID_REQUEST',
    })
    const row = await shop.context.store.db.selectFrom('analyses').select('archive').execute()
    expect(row.map(({ archive }) => archive)).toEqual([null, null, null])
  })

  test('end with one clear error when they take too long, and others go on', async () => {
    const shop = await openShop(open)
    const { context } = shop
    const jobs = runJobs(context, [analysisJobs(context, { timeMs: 1, memoryMb: 256 })], { pollMs: 20 })
    onTestFinished(() => jobs.stop())
    const failed = await untilEnded(shop, await create(shop, { archive: archiveOf(FILES) }))
    expect(failed).toMatchObject({
      state: 'failed',
      error: {
        code: 'GENERATION_FAILED',
        message: 'it took longer than 0.001 seconds and was stopped',
        details: { reason: 'too_long' },
      },
    })
  })

  test('move files in a push, and leave nothing behind', async () => {
    const stray = "select order_id from {{ ref('fct_orders') }}\n"
    const files = {
      'dbt_project.yml': 'name: shop\n',
      'stagecraft.yml': 'lint:\n  rules:\n    SC501: info\n',
      'models/marts/fct_orders.sql': 'select 1 as order_id\n',
      'models/staging/fct_stray.sql': stray,
    }
    const { repository, shop } = await openShopWithGit(open, { files })
    shop.work()
    const { id } = await untilEnded(shop, await create(shop))
    const body = { branch: 'moved', unsafe: true, rules: ['SC501'] }
    const call = callOf(shop.caller, { params: { analysisId: id }, body })
    const pushed = await untilPushed(shop, (await handlersOf(shop).fixAnalysis(call)).data.id)
    expect(pushed).toMatchObject({ state: 'completed', outcome: 'pushed' })
    expect(repository.read('models/marts/fct_stray.sql', 'moved')).toBe(stray)
    expect(repository.git('ls-tree', '-r', '--name-only', 'moved')).not.toContain(
      'models/staging/fct_stray.sql',
    )
  })

  test('are refused when they would fail at once', async () => {
    const shop = await openShop(open)
    await expect(create(shop)).rejects.toThrow(/expected a project with a Git repository/)
    const archive = archiveOf(FILES)
    await expect(create(shop, { archive, branch: 'main' })).rejects.toThrow(
      /expected a branch or an archive, got both/,
    )
    await expect(create(shop, { archive, select: ['SC999'] })).rejects.toThrow(/got "SC999"/)
    const { shop: other } = await openShopWithGit(open, { files: FILES })
    await expect(create(other, { branch: 'a..b' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    other.work()
    const missing = await untilEnded(other, await create(other, { branch: 'nowhere' }))
    expect(missing.error?.message).toMatch(/expected a branch of the repository, got "nowhere"/)
  })

  test('are cancelled before they begin, and belong to their project', async () => {
    const shop = await openShop(open)
    const id = await create(shop, { archive: archiveOf(FILES) })
    const handlers: Pick<ApiHandlers, 'cancelAnalysis'> = handlersOf(shop)
    const { data } = await handlers.cancelAnalysis(callOf(shop.caller, { params: { analysisId: id } }))
    expect(data.state).toBe('cancelled')
    const stranger = await addProject(shop.context)
    await expect(
      handlersOf(shop).listFindings(callOf(stranger, { params: { analysisId: id }, query: { limit: 5 } })),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
