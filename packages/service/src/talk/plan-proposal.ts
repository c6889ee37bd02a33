import { hashText, type PlannedFile, readText } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import type { ProjectPlanner } from '../git/push-options.ts'
import { planOf } from '../analyses/fix-project.ts'
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
