// How long plans and checks of a dbt project take, and for how long nothing else is done meanwhile; and the whole command
// `check --offline`, from its start to its end, of a project on disk.
// Run: npm run -s bench:project-plans, with --large for 1,000 tables too
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DIALECTS } from '@stagecraft/dialects'
import { type Lock, planProject, type PlanInput, type ProjectPlan } from '@stagecraft/dbt'
import type { Column, Table } from '@stagecraft/spec'
import { repositoryPath } from '../paths.ts'

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

/** Has a person change every tenth model of a project on disk. */
function editTenth(folder: string): void {
  const models = readdirSync(join(folder, 'models'), { recursive: true })
    .map((path) => join(folder, 'models', String(path)))
    .filter((path) => path.endsWith('.sql'))
  for (const path of models.filter((_, at) => at % 10 === 0))
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('        state,', '        lower(state) as state,'),
    )
}

/** Says on standard error, behind all else, how much of the processor the process took. */
const SAYS_CPU = `data:text/javascript,${encodeURIComponent(`process.on('exit', () => {
  const { system, user } = process.cpuUsage()
  process.stderr.write('cpu ' + (system + user) / 1e6)
})`)}`

function runCommand(folder: string, name: string, ...command: readonly string[]): void {
  const start = performance.now()
  const bin = repositoryPath('packages/cli/src/bin.ts')
  const { status, stderr } = spawnSync(process.execPath, ['--import', SAYS_CPU, bin, ...command], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  const seconds = ((performance.now() - start) / 1000).toFixed(2)
  const [, cpu = '0'] = /cpu ([\d.]+)$/.exec(stderr) ?? []
  process.stdout.write(
    `${name.padEnd(44)} ${seconds} s, ${Number(cpu).toFixed(2)} s of processor, exit ${status}\n`,
  )
}

/** Runs the command over a project on disk: as it was applied, and after a person changed every tenth model. */
function measureCommand(count: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-bench-'))
  try {
    const tables = openProject(count).tables
    const files = {
      'dbt_project.yml': 'name: shop\n',
      'stagecraft.yml': 'catalog: columns.yml\n',
      'columns.yml': JSON.stringify({ dialect: 'postgres', tables }),
    }
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
    mkdirSync(join(folder, 'models'))
    runCommand(folder, `${count} tables, command apply --all`, 'apply', '--all')
    runCommand(folder, `${count} tables, command check --offline, first`, 'check', '--offline')
    runCommand(folder, `${count} tables, command check --offline`, 'check', '--offline')
    editTenth(folder)
    const name = `${count} tables, a tenth edited, command check --offline`
    for (const _ of [1, 2, 3]) runCommand(folder, name, 'check', '--offline')
  } finally {
    rmSync(folder, { recursive: true })
  }
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
  measureCommand(count)
}
