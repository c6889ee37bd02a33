import { type FileChange, hashText } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import type { ProjectView } from '../project-view.ts'
import type { Proposal } from './proposal.ts'

export interface ProposalChangesOptions {
  /** Reads a file of the project; undefined if it does not exist. */
  readonly read: (path: string) => Promise<string | undefined>
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Returns the files that applying a proposal writes.
 *
 * @throws {StagecraftError} INVALID_REQUEST for an expired proposal, and if a file changed since.
 */
export async function proposalChanges(
  { expiresAt, files, id }: Proposal,
  { now, read }: ProposalChangesOptions,
): Promise<readonly FileChange[]> {
  if (now >= Date.parse(expiresAt)) throw refusal(id, `it expired on ${expiresAt.slice(0, 10)}`)
  const changes = await Promise.all(
    files.map(async ({ after, baseSha256, path }) => {
      const present = await read(path)
      const isBase = (present === undefined ? null : hashText(present)) === baseSha256
      return { isBase, change: { path, before: present, after: after ?? undefined } }
    }),
  )
  const changed = changes.filter(({ isBase }) => !isBase).map(({ change }) => change.path)
  if (changed.length > 0) throw staleProposal(id, changed)
  return changes.map(({ change }) => change)
}

/** Creates the error for files that changed since a proposal was made. */
export function staleProposal(id: string, paths: readonly string[]): StagecraftError {
  const shown = paths.slice(0, 10).join(', ')
  const more = paths.length > 10 ? ` and ${paths.length - 10} more` : ''
  return refusal(id, `it is stale, because ${shown}${more} changed since it was made`, paths)
}

function refusal(id: string, reason: string, files: readonly string[] = []): StagecraftError {
  return new StagecraftError(
    'INVALID_REQUEST',
    `nothing was written: ${id} cannot be applied: ${reason}; ask for a new proposal`,
    { details: { proposal: id, files } },
  )
}

/**
 * Returns the problems that a change causes: unreadable files and new errors of lint. A change with problems is
 * neither proposed nor applied.
 */
export function harmOf(before: ProjectView, after: ProjectView): readonly string[] {
  const known = new Set(before.project.index.faults.map(faultText))
  const errors = new Set(before.report().findings.map(({ fingerprint }) => fingerprint))
  return [
    ...after.project.index.faults.map(faultText).filter((fault) => !known.has(fault)),
    ...after
      .report()
      .findings.filter(({ fingerprint, severity }) => severity === 'error' && !errors.has(fingerprint))
      .map(({ message, path, rule, start }) => `${path}:${start.line}: ${rule}: ${message}`),
  ]
}

function faultText({ path, reason }: { readonly path: string; readonly reason: string }): string {
  return `${path}: ${reason}`
}
