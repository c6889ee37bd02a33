import { hashText, isChange, type PlannedFile, readText } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import type { ProjectPlanner } from '../git/push-options.ts'
import { planOf } from '../analyses/fix-project.ts'
import type { ProjectSettings } from '../projects/project-settings.ts'
import { planUnitsApart } from '../pushes/plan-thread.ts'
import { itemsOf, proposedUnits } from './plan-models.ts'
import { proposedFiles } from './proposals.ts'

/** Plans the files of a proposal for a branch. A file that is another by then is left to a new proposal. */
export function planProposal(files: string, folder: string | undefined): ProjectPlanner {
  return {
    folder,
    async plan({ tree }) {
      const planned: PlannedFile[] = []
      const changed: string[] = []
      for (const file of proposedFiles(files)) {
        const { baseSha256, path } = file
        const after = file.after ?? undefined
        const now = await readText(tree, path)
        if (now === after) continue
        if ((now === undefined ? null : hashText(now)) !== baseSha256) changed.push(path)
        const action = after === undefined ? 'orphan' : now === undefined ? 'create' : 'update'
        planned.push({ path, action, before: now, after, covers: [], conflicts: [], notes: [] })
      }
      if (changed.length > 0) throw filesChanged(changed)
      return planOf(planned)
    },
  }
}

export interface ProposedModelsOptions {
  /** JSON of the files that were proposed. */
  readonly files: string
  /** JSON of the tables that they are planned from. */
  readonly items: string
  readonly settings: ProjectSettings
  readonly folder: string | undefined
  readonly signal: AbortSignal
}

/** Plans proposed models for a branch once more. What comes out has to be what was proposed, to the byte. */
export function planProposedModels({
  files,
  folder,
  items,
  settings,
  signal,
}: ProposedModelsOptions): ProjectPlanner {
  const wanted = new Map(proposedFiles(files).map(({ after, path }) => [path, after ?? undefined]))
  return {
    folder,
    async plan(project, exceptions) {
      const units = proposedUnits(itemsOf(items), { folder: project.folder, settings })
      const planned = await planUnitsApart({ ...units, signal }).plan(project, exceptions)
      const changes = planned.plan.files.filter(isChange)
      const after = new Map(changes.map((file) => [file.path, file.after]))
      const changed: string[] = []
      for (const path of new Set([...after.keys(), ...wanted.keys()])) {
        const now = after.has(path) ? after.get(path) : await readText(project.tree, path)
        if (!wanted.has(path) || now !== wanted.get(path)) changed.push(path)
      }
      if (changed.length > 0) throw filesChanged(changed)
      // they belong to no unit: pushes of units leave them alone
      return { ...planned, pushed: new Map() }
    },
  }
}

function filesChanged(files: readonly string[]): StagecraftError {
  const suggestion = 'ask for the proposal anew'
  return StagecraftError.invalid(
    {
      path: 'proposalId',
      expected: 'a proposal for the files as the branch has them',
      received: 'one for others',
    },
    { details: { reason: 'files_changed', files }, suggestion },
  )
}
