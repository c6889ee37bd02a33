import { type FileTree, isChange, type PlannedFile } from '@stagecraft/dbt'
import type { DialectName } from '@stagecraft/spec'
import type { PlannedProject, ProjectPlanner } from '../git/push-options.ts'
import type { FixOrder, ProjectContents } from './analysis-task.ts'
import { fixInThread } from './analysis-thread.ts'
import { RULE_FILE } from './read-project-files.ts'

export interface FixPlanOptions {
  readonly order: FixOrder
  readonly dialect: DialectName | undefined
  /** The folder of the dbt project. @default the only one */
  readonly folder: string | undefined
  readonly signal: AbortSignal
}

/** Plans the fixes of the findings in the dbt project of a branch, from its current commit. */
export function planFixes({ dialect, folder, order, signal }: FixPlanOptions): ProjectPlanner {
  return {
    folder,
    async plan({ tree }) {
      const { files } = await fixInThread({ files: await contentsOf(tree), order, dialect }, { signal })
      return planOf(
        files
          .map((file): PlannedFile => ({ ...file, action: actionOf(file), covers: [], conflicts: [] }))
          .filter(isChange),
      )
    },
  }
}

/** The files that rules read. */
async function contentsOf(tree: FileTree): Promise<ProjectContents> {
  const contents: Record<string, Uint8Array> = {}
  for (const { path } of await tree.list('')) {
    const bytes = RULE_FILE.test(path) ? await tree.read(path) : undefined
    if (bytes) contents[path] = bytes
  }
  return contents
}

function actionOf({ after, before }: Pick<PlannedFile, 'after' | 'before'>): PlannedFile['action'] {
  if (before === undefined) return 'create'
  return after === undefined ? 'orphan' : 'update'
}

/** No file of an uploaded project counts as generated. */
export function planOf(files: readonly PlannedFile[]): PlannedProject {
  return {
    plan: { files, tables: [], lock: new Map(), generated: [], models: [], stillRead: [], warnings: [] },
    changes: [],
    gone: new Map(),
    pushed: new Map(),
    left: [],
    skipped: [],
  }
}
