import type { Column, Config, Table } from '@stagecraft/spec'
import { parseDocument } from 'yaml'
import { lockKey } from '../lock/lock.ts'
import type { ProjectPlan } from '../plan/plan-types.ts'
import { type PretendProject, pretendProject } from './pretend-project.ts'

/** A warehouse, and a project that people, settings and commands change. */
export interface World {
  readonly project: PretendProject
  /** The columns of the tables in the warehouse. */
  readonly tables: Map<string, Column[]>
  /** The comments that the loader wrote on tables. */
  readonly comments: Map<string, string>
  config: Config
  /** What people wrote, by the table that it is about. */
  marks: { readonly mark: string; readonly table: string }[]
  readonly log: string[]
  /** The project as it was before each command. */
  readonly before: {
    readonly files: ReadonlyMap<string, string>
    readonly lock: ReturnType<PretendProject['lock']>
  }[]
  count: number
  /** Checks the project after each command. */
  readonly check: (world: World, plan: ProjectPlan, options: ApplyOptions) => Promise<void>
}

export type ApplyOptions = NonNullable<Parameters<PretendProject['apply']>[1]>

/** One thing that happens. The number decides to what. */
export type Step = (world: World, number: number) => Promise<void> | void

export function openWorld(check: World['check']): World {
  const columns = (...names: readonly string[]): Column[] =>
    ['id', ...names].map((name) => ({ name, type: 'integer' }))
  return {
    project: pretendProject(),
    tables: new Map([
      ['orders', columns('amount', 'state', 'tax', 'note')],
      ['customers', columns('email', 'phone', 'city')],
    ]),
    comments: new Map(),
    config: {},
    marks: [],
    log: [],
    before: [],
    count: 0,
    check,
  }
}

export function tablesOf({ comments, tables }: World): readonly Table[] {
  return [...tables].map(([name, columns]) => {
    const comment = comments.get(name)
    return {
      schema: 'shop',
      name,
      columns,
      primaryKey: ['id'],
      ...(comment !== undefined && { comment }),
    }
  })
}

export function pick<Item>(items: Iterable<Item>, number: number): Item | undefined {
  const all = [...items]
  return all[number % Math.max(1, all.length)]
}

/** Returns a number that nothing has yet. */
export const next = (world: World): number => (world.count += 1)

export async function apply(world: World, options: ApplyOptions = {}): Promise<void> {
  const { project } = world
  world.before.push({ files: new Map(project.files), lock: project.lock() })
  const plan = await project.apply(tablesOf(world), { config: world.config, ...options })
  await world.check(world, plan, options)
}

/** Changes a file of a table's model as a person would, with a mark. */
export function edit(
  world: World,
  number: number,
  change: (text: string, mark: string) => string,
  ending = '.sql',
): void {
  const locked = pick([...world.project.lock().values()], number)
  const path =
    ending === '.sql' ? locked?.model.path : pick([locked?.properties?.path, locked?.source?.path], number)
  const text = path === undefined ? undefined : world.project.files.get(path)
  if (!locked || path === undefined || text === undefined) return
  const mark = `by hand ${next(world)};`
  const edited = change(text, mark)
  if (edited === text || !isReadable(path, edited)) return
  world.project.files.set(path, edited)
  if (edited.includes(mark)) world.marks.push({ mark, table: ending === '.sql' ? lockKey(locked.item) : '' })
}

/** Returns false for properties that dbt could not read, as with a key that is there twice. */
function isReadable(path: string, text: string): boolean {
  return path.endsWith('.sql') || parseDocument(text, { uniqueKeys: true }).errors.length === 0
}

/** Forgets what a person wrote and removed again. */
export function forgetRemoved(world: World): void {
  const texts = [...world.project.files.values()]
  world.marks = world.marks.filter(({ mark }) => texts.some((text) => text.includes(mark)))
}
