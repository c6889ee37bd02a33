// How long plans and checks of a dbt project take, and for how long nothing else is done meanwhile.
// Run: npm run -s bench:project-plans, with --large for 1,000 tables too
import { DIALECTS } from '@stagecraft/dialects'
import { type Lock, planProject, type PlanInput, type ProjectPlan } from '@stagecraft/dbt'
import type { Column, Table } from '@stagecraft/spec'

/** Columns of a table: the median of the schemas that people have is less. */
const COLUMNS = 20

function tableOf(number: number): Table {
  const columns: readonly Column[] = [
    { name: 'id', type: 'integer', nullable: false },
    { name: 'created_at', type: 'timestamp with time zone' },
    { name: 'state', type: 'text', values: ['open', 'paid', 'void'] },
    ...Array.from({ length: COLUMNS - 3 }, (_, at) => ({
      name: `column_${at}`,
      type: at % 3 === 0 ? 'numeric' : 'text',
      comment: `What column ${at} says.`,
    })),
  ]
  return { schema: `shop_${number % 4}`, name: `table_${number}`, primaryKey: ['id'], columns }
}

/** A project in memory of so many tables, every tenth of whose models a person changed. */
function openProject(count: number): {
  readonly plan: (tables: readonly Table[]) => Promise<ProjectPlan>
  /** As `check --offline` does. */
  readonly check: () => Promise<ProjectPlan>
  readonly apply: (plan: ProjectPlan) => void
  readonly edit: () => void
  readonly tables: readonly Table[]
} {
  const files = new Map<string, string>()
  let lock: Lock = new Map()
  const input = (tables: readonly Table[]): PlanInput => ({
    items: tables.map((table) => ({
      request: { type: 'staging', source: `${table.schema}.${table.name}` },
      table,
    })),
    gone: [],
    lock,
    project: { models: [], sources: [] },
    setup: { dialect: 'postgres', config: {}, defaults: { addTests: true, addDocs: true } },
    syntax: DIALECTS.postgres,
    settings: 'bench',
    generator: '0.1.0',
    read: (path) => Promise.resolve(files.get(path)),
    readBase: () => Promise.resolve(undefined),
  })
  return {
    plan: (tables) => planProject(input(tables)),
    check: () =>
      planProject({ ...input([]), items: [...lock.values()].map(({ item }) => item), prune: true }),
    apply: (plan) => {
      for (const { after, path } of plan.files) if (after !== undefined) files.set(path, after)
      lock = plan.lock
    },
    edit: () => {
      let number = 0
      for (const [path, text] of files)
        if (path.endsWith('.sql') && (number += 1) % 10 === 0)
          files.set(path, text.replace('        state,', '        lower(state) as state,'))
    },
    tables: Array.from({ length: count }, (_, number) => tableOf(number)),
  }
}

/** Prints the time that a plan takes on the wall and of the processor, and the longest time in which nothing else was done. */
async function measure(name: string, work: () => Promise<ProjectPlan>): Promise<ProjectPlan> {
  const [start, before] = [performance.now(), process.cpuUsage()]
  let [last, longest] = [start, 0]
  const tick = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(tick, 1)
  const plan = await work()
  const seconds = ((performance.now() - start) / 1000).toFixed(2)
  const { system, user } = process.cpuUsage(before)
  await new Promise((resolve) => setTimeout(resolve, 5))
  clearInterval(timer)
  const changes = plan.files.filter(({ after, before: was }) => after !== was).length
  const cpu = ((user + system) / 1e6).toFixed(2)
  process.stdout.write(
    `${name.padEnd(34)} ${seconds} s, ${cpu} s of processor, longest block ${longest.toFixed(0)} ms, ${changes} changes\n`,
  )
  return plan
}

for (const count of [200, ...(process.argv.includes('--large') ? [1000] : [])]) {
  const project = openProject(count)
  const { tables } = project
  project.apply(await measure(`${count} tables, new`, () => project.plan(tables)))
  await measure(`${count} tables, nothing to do`, () => project.plan(tables))
  await measure(`${count} tables, check --offline`, () => project.check())
  project.edit()
  project.apply(await measure(`${count} tables, a tenth edited`, () => project.plan(tables)))
  const wider = tables.map((table) => ({
    ...table,
    columns: [...table.columns, { name: 'tax', type: 'numeric' }],
  }))
  await measure(`${count} tables, each one column wider`, () => project.plan(wider))
}
