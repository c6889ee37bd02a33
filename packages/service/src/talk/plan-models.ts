import { findTable, type ModelPlanner, planModel } from '@stagecraft/assistant'
import { DIALECTS } from '@stagecraft/core'
import { type EditedItem, parseItem, printSourceName, type ReadTable } from '@stagecraft/core/run'
import { type FileTree, type Lock, readLock, readProject, toProject } from '@stagecraft/dbt'
import type { DialectName } from '@stagecraft/spec'
import type { ProjectSettings } from '../projects/project-settings.ts'
import { type PlannerOptions, planUnits } from '../pushes/plan-units.ts'

/** The inputs for planning proposed models. */
export interface ModelPlannerOptions {
  readonly tree: FileTree
  /** The folder of the dbt project in the repository. */
  readonly folder: string
  readonly settings: ProjectSettings
  /** Reads a raw table from the newest scan; undefined without a scan. */
  readonly readTable: (source: string) => Promise<ReadTable | undefined>
}

/** Proposals include tests and descriptions, as on disk. */
const OPTIONS = { addTests: true, addDocs: true }

/** Plans proposed models like pushes plan units, for the tables of scans, of the lock and of YAML. */
export function modelPlanner({ folder, readTable, settings, tree }: ModelPlannerOptions): ModelPlanner {
  return {
    async plan(wish) {
      const { lock = new Map() } = (await readLock(tree)) ?? {}
      const index = await readProject(tree)
      const dialect = dialectOf(settings, lock)
      const found = await findTable(wish.source, {
        lock,
        index,
        printName: (name) => printSourceName(name, DIALECTS[dialect]),
        readTable,
        suggestion: 'scan the connection of the project, so that its tables are known',
      })
      const { request, ...rest } = found
      const item: EditedItem = {
        ...rest,
        request: { ...request, options: { ...OPTIONS, ...request.options } },
      }
      const project = toProject(index, { isOwn: () => true })
      return planModel(item, wish, {
        setup: { ...(settings.config && { config: settings.config }), dialect, project },
        planItem: async (edited) => {
          const units = proposedUnits([edited], { folder, settings: { ...settings, dialect } })
          return (await planUnits(units).plan({ folder, tree }, { keep: new Set(), without: new Set() })).plan
        },
        settle: 'a person must resolve that in the branch',
      })
    },
  }
}

/** Any dialect works if nothing is known, because the tables come from a place that has one. */
function dialectOf({ dialect }: ProjectSettings, lock: Lock): DialectName {
  const [line] = lock.values()
  return dialect ?? line?.dialect ?? 'duckdb'
}

/** Returns the planner's input for proposed models. It has no units, so that only files of these models change. */
export function proposedUnits(
  items: readonly EditedItem[],
  { folder, settings }: { readonly folder: string; readonly settings: ProjectSettings },
): PlannerOptions {
  const { dialect = 'duckdb' } = settings
  return {
    snapshot: {
      units: items.map((item, index) => ({ unitId: `proposed_${index}`, isAsked: true, item, dialect })),
      paths: [],
    },
    settings,
    isPartial: true,
    pushed: new Map(),
    files: [],
    overwrite: false,
    folder,
    readGenerated: () => Promise.resolve([]),
  }
}

/** Reads the items of a proposal. */
export function itemsOf(text: string): readonly EditedItem[] {
  return (JSON.parse(text) as readonly string[]).map(parseItem)
}
