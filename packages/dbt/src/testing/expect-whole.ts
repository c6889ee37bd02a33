import { deepStrictEqual } from 'node:assert/strict'
import { DIALECTS } from '@stagecraft/dialects'
import { parse } from 'yaml'
import { finalColumns } from '../merge/final-columns.ts'
import type { ProjectPlan } from '../plan/plan-types.ts'
import { layerOf } from '../project/layers.ts'
import type { PretendProject } from './pretend-project.ts'
import { type ApplyOptions, tablesOf, type World } from './pretend-world.ts'
import { STEPS } from './world-steps.ts'

/** After a command the project is sound, and the same command changes nothing. */
export async function expectSettled(world: World, plan: ProjectPlan, options: ApplyOptions): Promise<void> {
  const { config, log, project } = world
  expectSound(world, plan)
  const again = await project.plan(tablesOf(world), { config, ...options })
  const changed = again.files.filter(({ action, after, before }) => action !== 'conflict' && after !== before)
  const actions = changed.map(({ action, path }) => `${action} ${path}`)
  deepStrictEqual({ log, changed: actions }, { log, changed: [] })
  deepStrictEqual({ log, lock: again.lock }, { log, lock: project.lock() })
}

interface Named {
  readonly name: string
  readonly columns?: readonly Named[]
  readonly data_tests?: readonly unknown[]
}
interface Properties {
  readonly models?: readonly Named[]
  readonly sources?: readonly (Named & { readonly tables?: readonly Named[] })[]
}

/** Returns columns that have tests and that the SQL of their model visibly lacks: dbt fails on them. */
function testedWithout(files: ReadonlyMap<string, string>): readonly string[] {
  const selected = new Map(
    [...files].flatMap(([path, text]) => {
      const found = path.endsWith('.sql') ? finalColumns(text, DIALECTS.duckdb) : undefined
      const name = nameOf(path)
      return found && !found.isOpen
        ? [[name, new Set(found.columns.map((column) => column.name))] as const]
        : []
    }),
  )
  const models = propertiesIn(files).flatMap((one) => one.models ?? [])
  return models.flatMap(({ columns = [], name }) =>
    columns
      .filter((column) => column.data_tests && selected.get(name)?.has(column.name.toLowerCase()) === false)
      .map((column) => `${name}.${column.name}`),
  )
}

/** The models of tables that are there, by path; those of other tables and of people may be broken by people. */
function followedModels(
  { before, project }: World,
  { files, tables }: ProjectPlan,
): { readonly followed: ReadonlySet<string>; readonly isBroken: (column: string) => boolean } {
  const gone = new Set(tables.flatMap(({ source, state }) => (state === 'gone' ? source : [])))
  const lines = [...project.lock().values()].filter(({ item }) => !gone.has(item.request.source))
  const then = before.at(-1)
  const described = new Set(lines.flatMap(({ model, properties }) => (properties ? model.name : [])))
  // a table that was not asked for may be out of date, but no worse than before
  const known = new Set(testedWithout(then?.files ?? new Map()))
  const planned = new Set(files.flatMap(({ covers, path }) => (path.endsWith('.sql') ? covers : [])))
  return {
    followed: new Set(lines.map(({ model }) => model.path)),
    isBroken: (column) => {
      const [model = ''] = column.split('.')
      return described.has(model) && (planned.has(model) || !known.has(column))
    },
  }
}

function propertiesIn(files: ReadonlyMap<string, string>): readonly Properties[] {
  return [...files]
    .filter(([path]) => path.endsWith('.yml'))
    .map(([, text]) => (parse(text, { uniqueKeys: true }) as Properties | null) ?? {})
}

function readsIn(
  files: ReadonlyMap<string, string>,
): readonly { readonly path: string; readonly read: string }[] {
  return [...files]
    .filter(([path]) => path.endsWith('.sql'))
    .map(([path, text]) => ({
      path,
      read: /source\('(\w+)', '(\w+)'\)/.exec(text)?.slice(1).join('.') ?? '',
    }))
}

function declaredIn(files: ReadonlyMap<string, string>): readonly string[] {
  return propertiesIn(files).flatMap(({ sources }) =>
    (sources ?? []).flatMap(({ name, tables }) => (tables ?? []).map((table) => `${name}.${table.name}`)),
  )
}

/** Returns the models that read a source table which no file declares. */
function undeclaredIn(files: ReadonlyMap<string, string>): readonly string[] {
  const declared = declaredIn(files)
  return readsIn(files).flatMap(({ path, read }) => (declared.includes(read) ? [] : path))
}

const nameOf = (path: string): string => path.split('/').at(-1)?.slice(0, -4) ?? ''

const twice = (names: readonly string[]): readonly string[] =>
  names.filter((name, at) => names.indexOf(name) !== at)

function expectSound(world: World, plan: ProjectPlan): void {
  const { files } = world.project
  const lost = world.marks.filter(({ mark }) => ![...files.values()].some((text) => text.includes(mark)))
  deepStrictEqual({ log: world.log, lost }, { log: world.log, lost: [] })
  const yaml = propertiesIn(files)
  const models = yaml.flatMap((one) => one.models ?? [])
  const tables = yaml.flatMap(({ sources }) => (sources ?? []).flatMap((source) => source.tables ?? []))
  const paths = plan.files.map(({ path }) => path)
  const { followed, isBroken } = followedModels(world, plan)
  // a person may have removed what a table that was not asked for needs
  const known = undeclaredIn(world.before.at(-1)?.files ?? new Map())
  const undeclared = undeclaredIn(files).filter(
    (path) => followed.has(path) && (paths.includes(path) || !known.includes(path)),
  )
  const open = plan.files.some(({ action }) => action === 'conflict')
  // what a person keeps among the marts is no staging model
  const staged = readsIn(files).filter(
    ({ path }) => followed.has(path) || layerOf({ name: nameOf(path), path }) !== 'mart',
  )
  const found = {
    log: world.log,
    declaredTwice: twice(declaredIn(files)),
    describedTwice: twice(models.map(({ name }) => name)),
    columnsTwice: [...models, ...tables].flatMap(({ columns }) =>
      twice((columns ?? []).map(({ name }) => name)),
    ),
    modelsOfOne: open ? [] : twice(staged.map(({ read }) => read)),
    testedWithout: open ? [] : testedWithout(files).filter(isBroken),
    undeclared: open ? [] : undeclared,
    paths: twice(paths),
  }
  deepStrictEqual(found, {
    log: world.log,
    declaredTwice: [],
    describedTwice: [],
    columnsTwice: [],
    modelsOfOne: [],
    testedWithout: [],
    undeclared: [],
    paths: [],
  })
}

/**
 * Adopting the project as it stands knows the same tables by the same models. A file with a conflict waits for a person: until
 * then the lock keeps what it was made from, which an adoption cannot know.
 */
export async function expectAdoptable(world: World): Promise<void> {
  await STEPS['prune']?.(world, 0)
  const { config, project } = world
  const { files } = await project.plan(tablesOf(world), { config, prune: true })
  const open = new Set(files.flatMap(({ action, path }) => (action === 'conflict' ? path : [])))
  const paths = new Set([...project.files.keys()].filter((path) => path.endsWith('.sql')))
  const there = new Set(tablesOf(world).map(({ name }) => `shop.${name}`))
  const known = new Set([...project.lock().keys()].filter((key) => there.has(key)))
  const followed = (lock: ReturnType<PretendProject['lock']>): unknown =>
    [...lock]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .filter(([key, { model }]) => known.has(key) && paths.has(model.path) && !open.has(model.path))
      .map(([key, { item, model }]) => [key, model.name, model.path, item.table.columns])
  const before = followed(project.lock())
  for (const key of project.lock().keys()) project.forget(key)
  const plan = await project.plan(tablesOf(world), { config, adopt: paths })
  deepStrictEqual({ log: world.log, lock: followed(plan.lock) }, { log: world.log, lock: before })
}
