import { findTable, type ModelPlanner, planModel } from '@stagecraft/assistant'
import { parseItem, printItem, printSourceName, type ReadTable, readTables } from '@stagecraft/core/run'
import { planProject, type ProjectPlan } from '@stagecraft/dbt'
import { DIALECTS } from '@stagecraft/dialects'
import { type DialectName } from '@stagecraft/spec'
import { openContext } from '../commands/open-engine.ts'
import { withCatalog } from '../commands/shared-flags.ts'
import { loadConfig } from '../files/load-config.ts'
import { planInput, type Planning } from './make-plan.ts'
import { knownProject, openProject, type OpenProject } from './open-project.ts'
import type { SourceTablesFlags } from './source-tables.ts'

/** Proposals include tests and descriptions, as with `stagecraft plan`. */
const DEFAULTS = { addTests: true, addDocs: true }

/** The inputs that all plans of a project share, with the chosen dialect. */
type ModelPlanning = Planning & { readonly dialect: DialectName }

/**
 * Plans models for proposals with the planner of `stagecraft plan`. Tables come from the named catalog, otherwise from
 * the lock and from YAML.
 */
export function modelPlanner(root: string, flags: SourceTablesFlags): ModelPlanner {
  return {
    async plan(wish) {
      const project = await openProject(root, { recover: false })
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
  return planProject(planInput(items.map(parseItem), [], planning))
}

async function openPlanning(
  project: OpenProject,
  { config: file, dialect: asked }: SourceTablesFlags,
): Promise<ModelPlanning> {
  const { config, folder: configFolder } = await loadConfig(file, project.root)
  const [locked] = project.lock.values()
  const dialect = asked ?? config.dialect ?? locked?.dialect ?? 'duckdb'
  const context = await openContext(
    { dialect, backend: false },
    { config, configFolder },
    { folder: project.root, defaults: DEFAULTS, known: await knownProject(project) },
  )
  return { project, context, flags: {}, dialect }
}

/** Reads tables from the named catalog; undefined if there is none. */
function tableReader(
  { context, dialect, project }: ModelPlanning,
  { catalog, ...others }: SourceTablesFlags,
): ((source: string) => Promise<ReadTable | undefined>) | undefined {
  if (catalog === undefined) return undefined
  const choice = { ...others, out: project.root, ...(catalog !== true && { catalog }) }
  return (source) =>
    withCatalog(choice, async (opened) => {
      const { tables } = await readTables(opened.catalog, [source], {
        config: context.config,
        dialect: DIALECTS[dialect],
      })
      return tables[0]
    })
}
