import { findTable, type ModelPlanner, planModel } from '@stagecraft/assistant'
import { parseItem, printItem, printSourceName, type ReadTable, readTables } from '@stagecraft/core/run'
import type { ProjectPlan } from '@stagecraft/dbt'
import { DIALECTS } from '@stagecraft/dialects'
import { type DialectName } from '@stagecraft/spec'
import { openOffline } from '../commands/open-engine.ts'
import { type CatalogFlags, withCatalog } from '../commands/shared-flags.ts'
import { planInput, planOnDisk, type Planning } from './make-plan.ts'
import { COMMON_DIALECT } from './choose-dialect.ts'
import { openProject, type OpenProject } from './open-project.ts'
import type { SourceTablesFlags } from './source-tables.ts'

/** The inputs that all plans of a project share, with the chosen dialect. */
type ModelPlanning = Planning & { readonly dialect: DialectName }

/**
 * Plans models for proposals with the planner of `stagecraft plan`. Tables come from the named catalog, otherwise from
 * the lock and from YAML.
 */
export function modelPlanner(root: string, flags: SourceTablesFlags): ModelPlanner {
  return {
    async plan(wish) {
      const project = await openProject(root)
      const planning = await openPlanning(project, flags)
      const { dialect } = planning
      const { llm: _, ...setup } = planning.context
      const table = await findTable(wish.source, {
        lock: project.lock,
        index: project.index,
        printName: (name) => printSourceName(name, DIALECTS[dialect]),
        readTable: tableReader(planning, flags),
        suggestion: 'ask the user to start stagecraft with --catalog',
      })
      return planModel(table, wish, {
        setup: { ...setup, dialect },
        planItem: (item) => planItems([printItem(item)], planning),
        settle: 'ask the user to resolve it with stagecraft plan',
      })
    },
  }
}

/** Plans the tables of a proposal again for the current project. */
export async function planAgain(
  items: readonly string[],
  project: OpenProject,
  flags: Omit<SourceTablesFlags, 'catalog'>,
): Promise<ProjectPlan> {
  return planItems(items, await openPlanning(project, flags))
}

function planItems(items: readonly string[], planning: ModelPlanning): Promise<ProjectPlan> {
  return planOnDisk(planInput(items.map(parseItem), [], planning), planning.project)
}

async function openPlanning(project: OpenProject, flags: SourceTablesFlags): Promise<ModelPlanning> {
  const context = await openOffline(flags, project)
  const choice = choiceOf(flags, project)
  const ofCatalog =
    context.dialect === undefined && choice
      ? await withCatalog(choice, ({ dialect }) => Promise.resolve(dialect))
      : undefined
  return { project, context, flags: {}, dialect: context.dialect ?? ofCatalog ?? COMMON_DIALECT }
}

/** Returns the flags that choose the named catalog; undefined if there is none. */
function choiceOf(
  { catalog, ...others }: SourceTablesFlags,
  { root }: OpenProject,
): CatalogFlags | undefined {
  return catalog === undefined
    ? undefined
    : { ...others, projectDir: root, ...(catalog !== true && { catalog }) }
}

/** Reads tables from the named catalog; undefined if there is none. */
function tableReader(
  { context, dialect, project }: ModelPlanning,
  flags: SourceTablesFlags,
): ((source: string) => Promise<ReadTable | undefined>) | undefined {
  const choice = choiceOf(flags, project)
  if (!choice) return undefined
  return (source) =>
    withCatalog(choice, async (opened) => {
      const { tables } = await readTables(opened.catalog, [source], {
        config: context.config,
        dialect: DIALECTS[dialect],
      })
      return tables[0]
    })
}
