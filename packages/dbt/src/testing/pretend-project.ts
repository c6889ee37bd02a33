import type { EditedItem } from '@stagecraft/core/run'
import { DIALECTS } from '@stagecraft/dialects'
import type { Config, Table } from '@stagecraft/spec'
import { parse } from 'yaml'
import { hashText } from '../lock/hashes.ts'
import { type Lock, lockKey } from '../lock/lock.ts'
import { isChange } from '../plan/describe-plan.ts'
import { planProject } from '../plan/plan-project.ts'
import type { PlanInput } from '../plan/plan-input.ts'
import type { PlannedFile, ProjectPlan } from '../plan/plan-types.ts'
import { readProperties as readEntries } from '../project/properties-facts.ts'
import type { DeclaredSource, ProjectView } from '../plan/project-view.ts'

type PlanOptions = Pick<PlanInput, 'adopt' | 'prune' | 'settlement'> & {
  readonly config?: Config
  readonly generator?: string
  /** Deletes the kept texts, as in a fresh clone. */
  readonly fresh?: boolean
  /** Names of the tables that are asked for, gone ones too. @default all */
  readonly only?: readonly string[]
  /** Decisions for tables, by name, as of a language model or a proposal. */
  readonly edits?: Readonly<Record<string, EditedItem['edit']>>
}

/** A project in memory, whose plans are applied as a command would. */
export interface PretendProject {
  readonly files: Map<string, string>
  plan(tables: readonly Table[], options?: PlanOptions): Promise<ProjectPlan>
  /** Plans, and writes the plan. */
  apply(tables: readonly Table[], options?: PlanOptions): Promise<ProjectPlan>
  /** Plans, and writes only the lock. */
  adopt(tables: readonly Table[], options: PlanOptions): Promise<void>
  /** No longer follows a table. */
  forget(key: string): void
  /** Takes the project back to what it was. */
  restore(before: { readonly files: ReadonlyMap<string, string>; readonly lock: Lock }): void
  lock(): Lock
}

interface State {
  readonly files: ReadonlyMap<string, string>
  /** Generated texts, by hash. */
  readonly kept: ReadonlyMap<string, string>
  readonly lock: Lock
}

function planWith(
  { files, kept, lock }: State,
  tables: readonly Table[],
  { config = {}, edits = {}, fresh = false, generator = '0.1.0', only, ...rest }: PlanOptions,
): Promise<ProjectPlan> {
  const all = tables.map((table): EditedItem => ({
    request: { type: 'staging' as const, source: `${table.schema}.${table.name}` },
    table,
    ...(table.name !== undefined && edits[table.name] && { edit: edits[table.name] }),
  }))
  const items = only ? all.filter(({ table }) => only.includes(table.name ?? '')) : all
  const there = new Set(all.map(lockKey))
  const isNamed = (key: string): boolean => only?.includes(key.replace('shop.', '')) ?? true
  const missing = [...lock.keys()].filter((key) => !there.has(key))
  return planProject({
    items,
    gone: missing.filter(isNamed),
    ...(only && {
      beside: {
        items: all.filter((item) => !items.includes(item) && !lock.has(lockKey(item))),
        gone: missing.filter((key) => !isNamed(key)),
      },
    }),
    lock,
    project: viewOf(files),
    setup: { dialect: 'duckdb', config, defaults: { addTests: true, addDocs: true } },
    syntax: DIALECTS.duckdb,
    settings: JSON.stringify(config),
    generator,
    read: (path) => Promise.resolve(files.get(path)),
    readBase: (hash) => Promise.resolve(fresh ? undefined : kept.get(hash)),
    ...rest,
  })
}

export function pretendProject(given: Readonly<Record<string, string>> = {}): PretendProject {
  const files = new Map(Object.entries(given))
  const kept = new Map<string, string>()
  let lock: Lock = new Map()
  const plan = (tables: readonly Table[], options: PlanOptions = {}): Promise<ProjectPlan> =>
    planWith({ files, kept, lock }, tables, options)
  return {
    files,
    plan,
    async apply(tables, options) {
      const planned = await plan(tables, options)
      for (const { after, path } of planned.files.filter(isChange)) {
        if (after === undefined) files.delete(path)
        else files.set(path, after)
      }
      for (const text of planned.generated) kept.set(hashText(text), text)
      lock = planned.lock
      return planned
    },
    async adopt(tables, options) {
      const planned = await plan(tables, options)
      for (const text of planned.generated) kept.set(hashText(text), text)
      lock = planned.lock
    },
    forget(key) {
      lock = new Map([...lock].filter(([other]) => other !== key))
    },
    restore(before) {
      files.clear()
      for (const [path, text] of before.files) files.set(path, text)
      ;({ lock } = before)
    },
    lock: () => lock,
  }
}

/** Actions of a plan by file name, without files that stay as they are. */
export function actionsOf({ files }: ProjectPlan): Readonly<Record<string, PlannedFile['action']>> {
  const changed = files.filter(({ action }) => action !== 'unchanged')
  return Object.fromEntries(changed.map(({ action, path }) => [path.split('/').at(-1), action]))
}

interface Properties {
  readonly models?: readonly { readonly name: string }[]
  readonly sources?: readonly {
    readonly name: string
    readonly schema?: string
    readonly tables?: readonly { readonly name: string; readonly identifier?: string }[]
  }[]
}

/** Checks only what tests need of dbt. */
function viewOf(files: ReadonlyMap<string, string>): ProjectView {
  const yaml = [...files]
    .filter(([path]) => path.endsWith('.yml'))
    .map(([path, text]) => ({ path, data: readProperties(text) }))
  const sources = yaml.flatMap(({ data, path }) =>
    (data.sources ?? []).map(({ name, schema = name, tables = [] }): DeclaredSource => ({
      name,
      path,
      // what Jinja gives is unknown
      schema: schema.includes('{{') ? undefined : schema,
      database: undefined,
      tables: tables.map((table) => ({ name: table.name, identifier: table.identifier ?? table.name })),
    })),
  )
  const queries = [...files]
    .filter(([path]) => path.endsWith('.sql'))
    .map(([path, text]) => {
      const name = path.split('/').at(-1)?.slice(0, -4) ?? ''
      const reads = [...text.matchAll(/source\('(\w+)', ?'(\w+)'\)/g)].map(([, source = '', table = '']) => ({
        source,
        table,
      }))
      const models = [...text.matchAll(/ref\('(\w+)'\)/g)].map(([, model = '']) => ({ model }))
      const found = yaml.find(({ data }) => data.models?.some((model) => model.name === name))
      return { name, path, reads, models, propertiesPath: found?.path }
    })
  const isModel = ({ path }: { readonly path: string }): boolean => path.startsWith('models/')
  const models = queries.filter(isModel)
  const ofYaml = [...files]
    .filter(([path]) => path.endsWith('.yml'))
    .flatMap(([path, text]) => (readEntries(text).reads ?? []).map((entry) => ({ ...entry, path })))
  const others = queries.filter((one) => !isModel(one))
  const readers = [
    ...ofYaml,
    ...others.map(({ path, reads, models: read }) => ({ path, reads, models: read, line: 1 })),
  ]
  const entries = yaml.flatMap(({ data, path }) => (data.models ?? []).map(({ name }) => ({ name, path })))
  return { models, sources, readers, entries }
}

function readProperties(text: string): Properties {
  try {
    return (parse(text) as Properties | null) ?? {}
  } catch {
    return {}
  }
}
