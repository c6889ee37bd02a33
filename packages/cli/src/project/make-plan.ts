import { setImmediate } from 'node:timers/promises'
import type { EngineAnswer, GenerateContext } from '@stagecraft/core'
import {
  answerMeta,
  chooseDialect,
  createRun,
  type EditedItem,
  type EditReport,
  leaveOutFaulty,
  type ReadTable,
} from '@stagecraft/core/run'
import {
  decidedBefore,
  followedConfig,
  generatedBy,
  type Lock,
  lockKey,
  type PlanInput,
  type PlannedFile,
  planProject,
  type ProjectPlan,
  readText,
  type Settlement,
  withDeclaredNames,
} from '@stagecraft/dbt'
import { DIALECTS } from '@stagecraft/dialects'
import {
  compareText,
  type DialectName,
  type LlmOptions,
  systemClock,
  timeSortedIds,
  type Warning,
} from '@stagecraft/spec'
import type { OpenContext } from '../commands/open-engine.ts'
import type { Opened } from '../commands/shared-flags.ts'
import type { OpenProject } from './open-project.ts'
import { excludedItems, type Place, type Selection, selectTables } from './select-tables.ts'

export interface PlanFlags {
  /** Removes columns and tables that the warehouse no longer has. */
  readonly prune?: boolean
  /** Leaves the models of tables that the configuration excludes, whatever `prune` says. @default false */
  readonly keepsExcluded?: boolean
  /** The way to resolve conflicts. */
  readonly conflict?: Settlement
}

/** A plan with notes about how it was made. */
export interface MadePlan {
  readonly plan: ProjectPlan
  readonly warnings: readonly Warning[]
  readonly reports: readonly EditReport[]
  /** The tables of the plan. */
  readonly items: readonly EditedItem[]
  /** Answers for each selected table as the engine does, without asking anything again. */
  readonly answers: () => readonly EngineAnswer[]
}

/** The dependencies of planning. */
export interface Planning {
  readonly project: OpenProject
  readonly context: OpenContext
  readonly flags: PlanFlags
  /** Files of a person that follow their tables from now on. @default none */
  readonly adopt?: ReadonlySet<string>
}

/** The number of tables that take seconds to plan. */
const MANY = 1000

/** Plans tables of a catalog. */
export async function planFromCatalog(
  selection: Selection,
  { catalog, names, signal }: Pick<Opened, 'catalog' | 'signal'> & Pick<Place, 'names'>,
  planning: Planning,
): Promise<MadePlan> {
  const { context, project } = planning
  const dialect = chooseDialect(context)
  const place = { catalog, names, config: context.config, dialect: DIALECTS[dialect], lock: project.lock }
  const { beside, excluded, gone, tables, unused, warnings } = await selectTables(selection, place)
  signal.throwIfAborted()
  const { options, type } = selection
  const toItem = ({ name, table }: ReadTable): EditedItem => ({
    request: { type, source: name, options },
    table,
  })
  const { llm, ...rest } = context
  const { items, warnings: leftOut } = usableItems(tables.map(toItem), selection, { ...rest, dialect })
  const { edited, reports } = await editItems(items, {
    lock: project.lock,
    llm,
    signal,
    context: { ...rest, dialect },
    dialect,
  })
  const input: PlanInput = {
    ...planInput(edited, [...gone, ...prunedOf(excluded, planning.flags)], { ...planning, dialect }),
    excluded,
    beside: { items: beside.tables.map(toItem), gone: beside.gone },
  }
  if (edited.length >= MANY) process.stderr.write(`planning ${edited.length} tables\n`)
  const plan = await planOnDisk(input, project)
  await assertNotStopped(signal)
  const planned = new Set(plan.tables.map(({ source }) => source))
  return {
    plan,
    warnings: [...partlyRead(project), ...unused(followedConfig(input)), ...warnings, ...leftOut],
    reports: reports.flatMap((report) => report ?? []),
    answers: () => answersOf(edited, { input, llm, plan, reports }),
    items: [
      ...edited,
      ...(input.beside?.items ?? []).filter(({ request: { source } }) => planned.has(source)),
    ],
  }
}

interface Answering {
  readonly input: PlanInput
  readonly plan: ProjectPlan
  readonly llm: LlmOptions | undefined
  readonly reports: readonly (EditReport | undefined)[]
}

/** Generates each table alone, with the names that the plan gives it. */
function answersOf(
  items: readonly EditedItem[],
  { input, llm, plan, reports }: Answering,
): readonly EngineAnswer[] {
  const config = withDeclaredNames(followedConfig(input), {
    project: input.project,
    lock: plan.lock,
    isRead: () => true,
  })
  const ids = timeSortedIds(systemClock)
  return createRun(items, { ...input.setup, config }).tables.map((table, index) => ({
    data: table.generate(),
    meta: {
      requestId: ids.next('req'),
      timestamp: new Date(systemClock.now()).toISOString(),
      ...answerMeta(llm?.backend, reports[index]),
    },
  }))
}

/** Planning leaves no time for a Ctrl-C to arrive: between two turns of the loop Node looks for signals. */
async function assertNotStopped(signal: AbortSignal): Promise<void> {
  await setImmediate()
  await setImmediate()
  signal.throwIfAborted()
}

/** Keeps only tables that a snapshot can be built for; other types need only a readable table. */
function usableItems(
  items: readonly EditedItem[],
  { sources, type }: Selection,
  context: GenerateContext & { readonly dialect: DialectName },
): ReturnType<typeof leaveOutFaulty<EditedItem>> {
  const names = new Set(sources)
  return type === 'snapshot'
    ? leaveOutFaulty(items, createRun(items, context), ({ request }) => names.has(request.source))
    : { items, warnings: [] }
}

/** Plans from the tables in the lock, without a warehouse. */
export async function planFromLock(planning: Planning): Promise<MadePlan> {
  const { context, flags, project } = planning
  const out = excludedItems({ sources: [] }, { config: context.config, lock: project.lock })
  const items = [...project.lock.values()].map(({ item }) => item).filter((item) => !out.includes(item))
  const excluded = out.map(lockKey)
  const dialect = chooseDialect(context)
  const input = planInput(items, prunedOf(excluded, flags), { ...planning, dialect })
  const plan = await planOnDisk({ ...input, excluded }, project)
  return { plan, warnings: partlyRead(planning.project), items, reports: [], answers: () => [] }
}

/** Pruning removes the models of excluded tables like those of deleted ones. */
function prunedOf(
  excluded: readonly string[],
  { keepsExcluded = false, prune = false }: PlanFlags,
): readonly string[] {
  return prune && !keepsExcluded ? excluded : []
}

/** Warns of unreadable parts of the project. */
function partlyRead({ index }: OpenProject): readonly Warning[] {
  return (index?.faults ?? []).map(({ line, path, reason }) => {
    const place = line > 1 ? `${path}:${line}` : path
    return { code: 'PROJECT_PARTLY_READ', message: `${place} was not read: ${reason}` }
  })
}

/** Plans for a project on disk. A file in which git's conflict was resolved is changed from its text with markers. */
export async function planOnDisk(input: PlanInput, { resolved, tree }: OpenProject): Promise<ProjectPlan> {
  const plan = await planProject(input)
  if (resolved.size === 0) return plan
  const planned = new Map(plan.files.map((file) => [file.path, file]))
  const files = await Promise.all(
    [...resolved].map(async ([path, text]): Promise<PlannedFile> => {
      const before = await readText(tree, path)
      const file = planned.get(path) ?? {
        path,
        after: text,
        covers: [],
        conflicts: [],
        notes: [],
        action: 'merge',
      }
      if (file.action === 'conflict') return { ...file, before, after: before }
      return { ...file, action: 'merge', before, notes: [BOTH_SIDES, ...file.notes] }
    }),
  )
  const others = plan.files.filter(({ path }) => !resolved.has(path))
  return { ...plan, files: [...others, ...files].toSorted((a, b) => compareText(a.path, b.path)) }
}

const BOTH_SIDES = "it keeps the entries of both sides of git's conflict"

/** Returns the input of a plan for a project on disk. */
export function planInput(
  items: readonly EditedItem[],
  gone: readonly string[],
  { adopt, context, dialect, flags, project }: Planning & { readonly dialect: DialectName },
): PlanInput {
  const { llm: _, ...setup } = context
  const { lock, resolved, texts, tree, view } = project
  return {
    items,
    gone,
    lock,
    project: view,
    setup: { ...setup, dialect },
    syntax: DIALECTS[dialect],
    ...generatedBy({ ...setup, dialect }),
    read: (path) => Promise.resolve(resolved.get(path) ?? readText(tree, path)),
    readBase: (sha256) => Promise.resolve(texts.read(sha256)),
    settlement: flags.conflict,
    prune: flags.prune ?? false,
    ...(adopt && { adopt }),
  }
}

interface Editing {
  readonly lock: Lock
  readonly llm: LlmOptions | undefined
  readonly signal: AbortSignal
  readonly context: GenerateContext
  readonly dialect: DialectName
}

/** The number of tables that the language model is asked about at the same time. */
const CONCURRENCY = 4

/** Asks the language model about new and changed tables; the lock has its decisions about the others. */
async function editItems(
  items: readonly EditedItem[],
  { context, dialect, llm, lock, signal }: Editing,
): Promise<{
  readonly edited: readonly EditedItem[]
  readonly reports: readonly (EditReport | undefined)[]
}> {
  const sql = DIALECTS[dialect]
  const known = items.map((item) => decidedBefore(item, lock.get(lockKey(item))?.item, sql) ?? item)
  if (!llm) return { edited: known, reports: [] }
  const run = createRun(known, { ...context, llm })
  const open = run.tables.filter((_, index) => !known[index]?.edit)
  for (let from = 0; from < open.length; from += CONCURRENCY)
    await Promise.all(open.slice(from, from + CONCURRENCY).map((table) => table.edit({ signal })))
  return {
    edited: run.tables.map((table) => table.item()),
    reports: run.tables.map((table) => table.report()),
  }
}
