import { StagecraftError } from '@stagecraft/spec'
import { hashContents } from './hash-contents.ts'
import { type CommitPlan, isFile } from './plan-commit.ts'
import type { PushOptions } from './push-options.ts'
import type { Git } from './run-git.ts'

const SHOWN = 5

/**
 * Refuses a commit that would replace the work of others.
 *
 * @throws {StagecraftError} INVALID_REQUEST with all files that are in the way.
 */
export async function checkForeign(
  git: Git,
  { blocked, foreign }: CommitPlan,
  { lastPushed, overwrite = false }: Pick<PushOptions, 'lastPushed' | 'overwrite'>,
): Promise<void> {
  if (blocked.length > 0) {
    throw refusal('path_blocked', blocked, {
      what: 'a folder, a link or a submodule of the branch is in the place of these files',
      suggestion: 'move it away, or generate to another folder',
    })
  }
  if (overwrite) return
  // Only what was pushed from here can be ours, so that only such contents are asked for.
  const candidates = foreign.filter(({ entry, path }) => isFile(entry) && lastPushed.has(path))
  const hashes = await hashContents(
    git,
    candidates.map(({ entry }) => entry.id),
  )
  const ours = new Set(
    candidates
      .filter(({ entry, path }) => [lastPushed.get(path) ?? []].flat().includes(hashes.get(entry.id) ?? ''))
      .map(({ path }) => path),
  )
  const changed = foreign.map(({ path }) => path).filter((path) => !ours.has(path))
  if (changed.length === 0) return
  throw refusal('files_changed', changed, {
    what: 'these files were changed in the branch since the last push',
    suggestion: 'merge the changes, or push with overwrite to replace them',
  })
}

function refusal(
  reason: string,
  paths: readonly string[],
  { suggestion, what }: { readonly suggestion: string; readonly what: string },
): StagecraftError {
  const files = paths.toSorted()
  const more = files.length > SHOWN ? ` and ${files.length - SHOWN} more` : ''
  const message = `${what}: ${files.slice(0, SHOWN).join(', ')}${more}; ${suggestion}`
  return new StagecraftError('INVALID_REQUEST', message, { details: { reason, files, suggestion } })
}
