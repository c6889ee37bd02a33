import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { type FileTree, memoryTree } from '@stagecraft/dbt'
import { expect, test } from 'vitest'
import type { PlannedProject, ProjectPlanner } from '../git/push-options.ts'
import { planUnitsInThread } from './plan-thread.ts'
import { type PlannerOptions, planUnits } from './plan-units.ts'

const EXCEPTIONS = { keep: new Set<string>(), without: new Set<string>() }
const ALWAYS = { files: 0, units: 0 }

function unitsOf(count: number): PlannerOptions['snapshot']['units'] {
  return Array.from({ length: count }, (_, index) => {
    const table = `orders_${index}`
    const columns = Array.from({ length: 20 }, (__, at) => ({ name: `column_${at}`, type: 'text' }))
    return {
      unitId: `unit_${index}`,
      isAsked: true,
      dialect: 'duckdb',
      item: {
        request: { type: 'staging', source: `shop.${table}`, options: { addTests: true, addDocs: true } },
        table: {
          schema: 'shop',
          name: table,
          kind: 'table',
          columns: [{ name: 'id', type: 'integer' }, ...columns],
        },
      },
    } as const
  })
}

function optionsOf(count: number): PlannerOptions {
  return {
    snapshot: { units: unitsOf(count), paths: [] },
    settings: { name: 'Shop', dialect: 'duckdb', config: {} },
    isPartial: false,
    pushed: new Map(),
    files: [],
    overwrite: false,
    folder: undefined,
    readGenerated: () => Promise.resolve([]),
  }
}

const signal = new AbortController().signal

const plan = (planner: ProjectPlanner, tree: FileTree): Promise<PlannedProject> =>
  planner.plan({ folder: '', tree }, EXCEPTIONS)

const PROJECT = { 'dbt_project.yml': 'name: shop\n', 'models/mine.sql': 'select 1 as a\n' }

/** The files of a project after a plan. */
function written({ changes }: PlannedProject): Readonly<Record<string, string>> {
  return { ...PROJECT, ...Object.fromEntries(changes.map(({ after = '', path }) => [path, after])) }
}

test('plans the same in a thread, with texts that it has to ask for', async () => {
  const options = optionsOf(3)
  const first = await plan(planUnits(options), memoryTree(PROJECT))
  expect(first.changes.length).toBeGreaterThan(3)
  const files = written(first)
  const model = 'models/staging/shop/stg_shop__orders_1.sql'
  const text = files[model] ?? ''
  // a person changed one model, and its unit has a new column: what was generated is asked for
  const tree = memoryTree({ ...files, [model]: `-- mine\n${text}` })
  const [, second] = options.snapshot.units
  const units = options.snapshot.units.map((unit) =>
    unit === second
      ? {
          ...unit,
          item: {
            ...unit.item,
            table: {
              ...unit.item.table,
              columns: [...unit.item.table.columns, { name: 'note', type: 'text' }],
            },
          },
        }
      : unit,
  )
  const asked: string[] = []
  const changed: PlannerOptions = {
    ...options,
    snapshot: { units, paths: [] },
    readGenerated: (unitId) => {
      asked.push(unitId)
      return Promise.resolve([text])
    },
  }
  const here = await plan(planUnits(changed), tree)
  const wanted = asked.splice(0).toSorted()
  expect(wanted).toContain('unit_1')
  const apart = await plan(planUnitsInThread({ ...changed, signal, small: ALWAYS }), tree)
  expect(asked.toSorted()).toEqual(wanted)
  expect(apart).toEqual(here)
  expect(here.changes.find(({ path }) => path === model)?.after).toMatch(/^-- mine\n[^]*\bnote\b/)
})

test('the error of a file that cannot be read, and the end of the job, end the thread', async () => {
  const tree: FileTree = {
    ...memoryTree(PROJECT),
    read: () => Promise.reject(new Error('the clone is gone')),
  }
  const planner = planUnitsInThread({ ...optionsOf(1), signal, small: ALWAYS })
  await expect(plan(planner, tree)).rejects.toThrow('the clone is gone')
  const stop = new AbortController()
  const stopped = plan(
    planUnitsInThread({ ...optionsOf(200), signal: stop.signal, small: ALWAYS }),
    memoryTree(PROJECT),
  )
  stop.abort(new Error('the lease is lost'))
  await expect(stopped).rejects.toThrow('the lease is lost')
})

test('a large plan holds up nothing else', async () => {
  const options = optionsOf(150)
  const tree = memoryTree(PROJECT)
  const lag = async (
    planner: ProjectPlanner,
  ): Promise<{ readonly longest: number; readonly p99: number }> => {
    const delays = monitorEventLoopDelay({ resolution: 5 })
    delays.enable()
    await wait(20)
    await plan(planner, tree)
    await wait(20) // a turn that was held up is counted when it comes
    delays.disable()
    return { longest: delays.max, p99: delays.percentile(99) }
  }
  const here = await lag(planUnits(options))
  const apart = await lag(planUnitsInThread({ ...options, signal, small: ALWAYS }))
  expect(apart.p99 * 3).toBeLessThan(here.longest)
})
