import { type GenerateContext } from '@stagecraft/core'
import { chooseDialect, createRun, type EditedItem, type EditReport } from '@stagecraft/core/run'
import {
  decidedBefore,
  followedConfig,
  generatedBy,
  type Lock,
  lockKey,
  type PlanInput,
  planProject,
  type ProjectPlan,
  readText,
  type Settlement,
} from '@stagecraft/dbt'
import { DIALECTS } from '@stagecraft/dialects'
import type { DialectName, LlmOptions, Warning } from '@stagecraft/spec'
import type { OpenContext } from '../commands/open-engine.ts'
import type { Opened } from '../commands/shared-flags.ts'
import type { OpenProject } from './open-project.ts'
import { type Selection, selectTables } from './select-tables.ts'

export interface PlanFlags {
  /** Removes columns and tables that are gone from the warehouse. */
  readonly prune?: boolean
  /** The way to settle conflicts. */
  readonly conflict?: Settlement
}

/** A plan, with what there is to say of its making. */
export interface MadePlan {
  readonly plan: ProjectPlan
  readonly warnings: readonly Warning[]
  readonly reports: readonly EditReport[]
  /** The tables that it was made for. */
  readonly items: readonly EditedItem[]
}

/** The tools that make a plan. */
export interface Planning {
  readonly project: OpenProject
  readonly context: OpenContext
  readonly flags: PlanFlags
  /** Files that a person wrote and that are to follow their tables from now on. @default none */
  readonly adopt?: ReadonlySet<string>
}

/** Plans for tables of a catalog. */
export async function planFromCatalog(
  selection: Selection,
  { catalog, signal }: Pick<Opened, 'catalog' | 'signal'>,
  planning: Planning,
): Promise<MadePlan> {
  const { context, project } = planning
  const dialect = chooseDialect(context, catalog)
  const place = { catalog, config: context.config, dialect: DIALECTS[dialect], lock: project.lock }
  const { gone, tables, unused, warnings } = await selectTables(selection, place)
  signal.throwIfAborted()
  const { options, type } = selection
  const items = tables.map(({ name, table }) => ({ request: { type, source: name, options }, table }))
  const { llm, ...rest } = context
  const { edited, reports } = await editItems(items, {
    lock: project.lock,
    llm,
    signal,
    context: { ...rest, dialect },
    dialect,
  })
  const input = planInput(edited, gone, { ...planning, dialect })
  return {
    plan: await planProject(input),
    warnings: [...partlyRead(project), ...unused(followedConfig(input)), ...warnings],
    reports,
    items: edited,
  }
}

/** Plans for the tables of the lock as they were, without a warehouse. */
export async function planFromLock(
  planning: Planning & { readonly dialect: DialectName },
): Promise<MadePlan> {
  const items = [...planning.project.lock.values()].map(({ item }) => item)
  const warnings = partlyRead(planning.project)
  return { plan: await makePlan(items, [], planning), warnings, reports: [], items }
}

/** Warns of what the project holds and nobody can read. */
function partlyRead({ index }: OpenProject): readonly Warning[] {
  return (index?.faults ?? []).map(({ line, path, reason }) => {
    const place = line > 1 ? `${path}:${line}` : path
    return { code: 'PROJECT_PARTLY_READ', message: `${place} was not read: ${reason}` }
  })
}

function makePlan(
  items: readonly EditedItem[],
  gone: readonly string[],
  planning: Planning & { readonly dialect: DialectName },
): Promise<ProjectPlan> {
  return planProject(planInput(items, gone, planning))
}

/** Returns what a plan of a project on disk is made from. */
export function planInput(
  items: readonly EditedItem[],
  gone: readonly string[],
  { adopt, context, dialect, flags, project }: Planning & { readonly dialect: DialectName },
): PlanInput {
  const { llm: _, ...setup } = context
  const { lock, texts, tree, view } = project
  return {
    items,
    gone,
    lock,
    project: view,
    setup: { ...setup, dialect },
    syntax: DIALECTS[dialect],
    ...generatedBy({ ...setup, dialect }),
    read: (path) => readText(tree, path),
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

/** Tables that the language model is asked about at once. */
const CONCURRENCY = 4

/** Asks the language model about tables that are new or changed; its decisions about the others are in the lock. */
async function editItems(
  items: readonly EditedItem[],
  { context, dialect, llm, lock, signal }: Editing,
): Promise<{ readonly edited: readonly EditedItem[]; readonly reports: readonly EditReport[] }> {
  const sql = DIALECTS[dialect]
  const known = items.map((item) => decidedBefore(item, lock.get(lockKey(item))?.item, sql) ?? item)
  if (!llm) return { edited: known, reports: [] }
  const run = createRun(known, { ...context, llm })
  const open = run.tables.filter((_, index) => !known[index]?.edit)
  for (let from = 0; from < open.length; from += CONCURRENCY)
    await Promise.all(open.slice(from, from + CONCURRENCY).map((table) => table.edit({ signal })))
  return {
    edited: run.tables.map((table) => table.item()),
    reports: open.flatMap((table) => table.report() ?? []),
  }
}
