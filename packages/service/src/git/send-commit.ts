import { findFailure, gitFailed, pushFailed } from './failures.ts'
import type { Git } from './run-git.ts'

/** `moved`: the branch is no longer what the commit builds on. `rejected`: the server does not want it. */
export type SendResult = 'accepted' | 'moved' | 'rejected' | 'checked_out'

/** Matches the messages of git and servers for a branch that somebody else changed meanwhile. */
const MOVED =
  /fetch first|non-fast-forward|stale info|needs force|cannot lock ref|failed to (?:update ref|lock)|incorrect old value|reference already exists|is at [\da-f]+ but expected/i

/**
 * Sends one commit as one change of one ref, which the server makes or does not make. It is never forced.
 *
 * @throws {StagecraftError} CONNECTION_FAILED
 */
export async function sendCommit(
  git: Git,
  { branch, commit }: { readonly branch: string; readonly commit: string },
): Promise<SendResult> {
  const parameters = ['push', '--porcelain', '--no-verify', '--no-follow-tags', 'origin']
  const { errors, output, status } = await git.run([...parameters, `${commit}:refs/heads/${branch}`])
  if (status === 0) return 'accepted'
  const refusal = output.split('\n').find((line) => line.startsWith('!'))
  if (refusal === undefined || refusal.includes('(unpacker error)')) {
    const failure = findFailure(errors)
    throw failure === undefined ? gitFailed('push', status) : pushFailed(failure)
  }
  if (MOVED.test(refusal)) return 'moved'
  return refusal.includes('currently checked out') ? 'checked_out' : 'rejected'
}
