import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { makeRepository, type TestRepository } from '../../packages/service/src/git/testing/repositories.ts'
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { randomOf } from '../random.ts'
import { describeEachStore } from './each-store.ts'
import { jobsOf } from './jobs-of.ts'
import { openShop, type Shop } from './open-shop.ts'
import { callOf } from './open-test-context.ts'

const SEEDS = [1, 2, 3]
const STEPS = 30
const TABLES = ['main.orders', 'main.customers', 'main.payments']
const BRANCH = 'stagecraft'

/** Ends the work of a process, and begins it anew. */
function restarting(shop: Shop): () => Promise<void> {
  let jobs = runJobs(shop.context, jobsOf(shop.context), { pollMs: 20 })
  onTestFinished(() => jobs.stop())
  return async () => {
    await jobs.stop()
    jobs = runJobs(shop.context, jobsOf(shop.context), { pollMs: 20 })
  }
}

async function unitIds({ caller, handlers }: Shop): Promise<readonly string[]> {
  return (await handlers.listUnits(callOf(caller, {}))).data.items.map(({ id }) => id)
}

/** What somebody asks for at any time; that there is nothing to push, or to cancel any more, is a right answer. */
async function refusable(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) =>
    expect(error).toMatchObject({ code: /^(?:INVALID_REQUEST|NOT_FOUND)$/ }),
  )
}

function pathsOf(repository: TestRepository): readonly string[] {
  if (repository.git('branch', '--list', BRANCH) === '') return []
  return repository.git('ls-tree', '-r', '--name-only', BRANCH).split('\n')
}

interface Properties {
  readonly sources?: readonly {
    readonly name: string
    readonly tables: readonly { readonly name: string }[]
  }[]
}

/** The tables that models read and no properties declare. */
function missingSources(repository: TestRepository): readonly string[] {
  const paths = pathsOf(repository)
  const tablesOf = (path: string): readonly string[] => {
    const { sources = [] } = parse(repository.read(path, BRANCH)) as Properties
    return sources.flatMap(({ name, tables }) => tables.map((table) => `${name}.${table.name}`))
  }
  const declared = new Set(paths.filter((path) => path.endsWith('.yml')).flatMap(tablesOf))
  const used = paths
    .filter((path) => path.endsWith('.sql'))
    .flatMap((path) => [...repository.read(path, BRANCH).matchAll(/source\('(\w+)', '(\w+)'\)/g)])
    .map(([, source, table]) => `${source}.${table}`)
  return used.filter((table) => !declared.has(table))
}

await describeEachStore('pushes among all else that happens', MIGRATIONS, (open) => {
  test.for(SEEDS)(
    'keep the project whole, and are told once each: seed %i',
    { timeout: 300_000 },
    async (seed) => {
      const below = randomOf(seed)
      const random = (): number => below(1000) / 1000
      const pick = <Item>(items: readonly Item[]): Item | undefined =>
        items[Math.floor(random() * items.length)]
      const repository = makeRepository(onTestFinished)
      repository.commit({ 'dbt_project.yml': 'name: shop\n' })
      const shop = await openShop(open)
      const { caller, handlers } = shop
      const { projectId } = caller
      const body = { git: { remote: repository.folder } }
      await handlers.updateProject(callOf(caller, { params: { projectId }, body }))
      const pushes: string[] = []
      const restarts = [restarting(shop), restarting(shop)]
      const push = async (more: object): Promise<void> => {
        const call = callOf(caller, { body: { branch: BRANCH, message: 'Staging models', ...more } })
        await refusable(async () => pushes.push((await handlers.createPush(call)).data.id))
      }
      let commits = 0
      const remarks: string[] = []
      const steps: readonly (() => Promise<unknown>)[] = [
        () => shop.generate(pick(TABLES) ?? ''),
        () => shop.generate(pick(TABLES) ?? '', { options: { leadingCommas: random() < 0.5 } }),
        () => push({}),
        () => push({}),
        async () => {
          const unitId = pick(await unitIds(shop))
          await push(unitId === undefined ? {} : { unitIds: [unitId] })
        },
        async () => {
          const unitId = pick(await unitIds(shop)) ?? 'unit_unknown'
          await refusable(() => handlers.deleteUnit(callOf(caller, { params: { unitId } })))
        },
        async () => {
          const pushId = pick(pushes) ?? 'push_unknown'
          await refusable(() => handlers.cancelPush(callOf(caller, { params: { pushId } })))
        },
        async () => {
          if (pathsOf(repository).length === 0) return
          const model = pick(pathsOf(repository).filter((path) => path.startsWith('models/staging')))
          const name = model?.replace(/^.*\/|\.\w+$/g, '')
          const text = random() < 0.5 ? 'select 1\n' : `select * from {{ ref('${name}') }}\n`
          commits += 1
          repository.commit({ [`models/marts/mart_${commits}.sql`]: text }, BRANCH)
        },
        () => push({ dryRun: true }),
        async () => {
          const model = pick(pathsOf(repository).filter((path) => /^models\/staging\/.*\.sql$/.test(path)))
          if (model === undefined) return
          const text = repository.read(model, BRANCH)
          commits += 1
          const remark = `-- by hand ${commits}`
          repository.commit({ [model]: `${text}${remark}\n` }, BRANCH)
          remarks.push(remark)
        },
        async () => await pick(restarts)?.(),
      ]
      for (let step = 0; step < STEPS; step += 1) {
        // Some at once, as several people would.
        const chosen = [pick(steps), ...(random() < 0.4 ? [pick(steps)] : [])]
        await Promise.all(chosen.map(async (one) => await one?.()))
      }
      await shop.generate('main.orders')
      await push({})
      const rows = async () => await shop.context.store.db.selectFrom('pushes').selectAll().execute()
      const isOpen = ({ state }: { readonly state: string }): boolean => /^(?:queued|running)$/.test(state)
      await expect.poll(async () => (await rows()).filter(isOpen), { timeout: 200_000 }).toEqual([])
      const ended = await rows()
      expect(ended.filter(({ state }) => state === 'failed').map(({ error }) => error)).toEqual([])
      expect(missingSources(repository)).toEqual([])
      const models = pathsOf(repository).map((path) => repository.read(path, BRANCH))
      expect(remarks.filter((remark) => !models.some((text) => text.includes(`${remark}\n`)))).toEqual([])
      const pushed = ended.filter(({ outcome }) => outcome === 'pushed')
      expect(pushed.length).toBeGreaterThan(0)
      const told = (await shop.events()).filter(({ event }) => event === 'push.completed')
      expect(new Set(told.map(({ data }) => data['push_id']))).toEqual(new Set(pushed.map(({ id }) => id)))
      expect(told).toHaveLength(pushed.length)
      for (const { commit_id, id } of pushed) {
        const found = repository.git('log', '--format=%H', `--grep=Stagecraft-Push: ${id}`, BRANCH)
        expect(found).toBe(commit_id)
      }
    },
  )
})
