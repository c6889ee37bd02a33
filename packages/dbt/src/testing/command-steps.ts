import { LOCK_FILE, lockKey, printLock, readLock } from '../lock/lock.ts'
import { memoryTree } from '../tree/memory-tree.ts'
import { mergeLines } from '../merge/line-merge.ts'
import { pretendProject } from './pretend-project.ts'
import { apply, edit, forgetRemoved, pick, type Step, tablesOf, type World } from './pretend-world.ts'

/** Applies with conflicts settled, which a person wants: what they wrote there may be gone afterwards. */
async function settle(world: World, settlement: 'ours' | 'theirs'): Promise<void> {
  const { config, marks, project } = world
  const { files } = await project.plan(tablesOf(world), { config })
  const open = files.filter(({ action }) => action === 'conflict').map(({ before = '' }) => before)
  world.marks = marks.filter(({ mark }) => settlement === 'ours' || !open.some((text) => text.includes(mark)))
  await apply(world, { settlement })
}

/** Returns a project on another branch, of a person with a clone of their own. */
function branchOf(world: World): World {
  const project = pretendProject()
  project.restore({ files: world.project.files, lock: world.project.lock() })
  return { ...world, project, marks: [...world.marks], before: [] }
}

type Files = ReadonlyMap<string, string>

/** Merges the files of two branches as git does, and the lock with its rule; undefined for a conflict. */
function mergeFiles(base: Files, ours: Files, theirs: Files): Files | undefined {
  const paths = new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])
  const merged = [...paths].map((path) => {
    const [was, here, there] = [base.get(path), ours.get(path), theirs.get(path)]
    if (here === there || there === was) return [path, here] as const
    if (here === was) return [path, there] as const
    if (was === undefined || here === undefined || there === undefined) return undefined
    const { conflicts, text } = mergeLines({ base: was, present: here, wanted: there })
    return conflicts.length > 0 ? undefined : ([path, text] as const)
  })
  if (merged.includes(undefined)) return undefined
  return new Map(merged.flatMap((one) => (one?.[1] === undefined ? [] : [[one[0], one[1]] as const])))
}

/** Changes a table's model by hand on a branch, and brings that table up to date there. */
async function workOn(world: World, key: string): Promise<void> {
  const at = [...world.project.lock().keys()].indexOf(key)
  edit(world, at, (sql, mark) => `-- ${mark}\n${sql}`)
  await apply(world, { only: [key.replace('shop.', '')] })
}

/** What commands do. */
export const COMMANDS: Readonly<Record<string, Step>> = {
  apply: (world) => apply(world),
  'apply in a fresh clone': (world) => apply(world, { fresh: true }),
  'apply to one': (world, number) => apply(world, { only: [pick(world.tables.keys(), number) ?? ''] }),
  'apply with what people wrote': (world) => settle(world, 'ours'),
  'apply with what is generated': (world) => settle(world, 'theirs'),
  prune: async (world) => {
    const there = new Set(tablesOf(world).map(({ name }) => `shop.${name}`))
    world.marks = world.marks.filter(({ table }) => there.has(table))
    await apply(world, { prune: true })
  },
  undo: (world) => {
    const last = world.before.at(-1)
    if (!last || world.log.at(-2)?.startsWith('apply') !== true) return
    world.before.pop()
    world.project.restore(last)
    forgetRemoved(world)
  },
  forget: (world, number) => {
    const key = pick(world.project.lock().keys(), number)
    if (key !== undefined) world.project.forget(key)
  },
  adopt: async (world, number) => {
    const { config, project } = world
    const path = pick(
      [...project.files.keys()].filter((one) => one.endsWith('.sql')),
      number,
    )
    const [, read = ''] = /source\('\w+', '(\w+)'\)/.exec(project.files.get(path ?? '') ?? '') ?? []
    if (path === undefined || !world.tables.has(read)) return
    await project.adopt(tablesOf(world), { config, only: [read], adopt: new Set([path]) })
  },
  'merge a branch': async (world, number) => {
    const there = new Set(tablesOf(world).map(({ name }) => `shop.${name}`))
    const keys = [...world.project.lock()].filter(
      ([key, { item }]) => lockKey(item) === key && there.has(key),
    )
    const [mine, others] = [pick(keys, number), pick(keys, number + 1)]
    if (!mine || !others || mine === others) return
    const base = { files: new Map(world.project.files), lock: printLock(world.project.lock()) }
    const branch = branchOf(world)
    await workOn(branch, others[0])
    world.count = branch.count
    await workOn(world, mine[0])
    const files = mergeFiles(base.files, world.project.files, branch.project.files)
    if (!files) return
    const [here, other] = [world, branch].map(({ project }) => printLock(project.lock()))
    const text = mergeLocks(base.lock, here ?? '', other ?? '')
    const { lock = new Map() } =
      (await readLock(memoryTree({ ...Object.fromEntries(files), [LOCK_FILE]: text }))) ?? {}
    world.project.restore({ files, lock })
    world.marks = [...new Set([...world.marks, ...branch.marks])]
    await apply(world)
  },
}

/** Keeps the lines of both sides, as `merge=union` does. */
function mergeLocks(base: string, here: string, there: string): string {
  const was = new Set(base.split('\n'))
  const added = there.split('\n').filter((line) => !was.has(line) && !here.includes(line))
  const removed = new Set([...was].filter((line) => !there.includes(line)))
  const kept = here.split('\n').filter((line) => !removed.has(line))
  return [...kept.slice(0, -2), ...added, '}', ''].join('\n')
}
