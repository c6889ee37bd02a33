import type { PushResource } from '@stagecraft/spec/api'
import type { SentCommit } from '../git/push-options.ts'
import { jobMembers } from '../resources/job-members.ts'
import type { PushRow } from '../store/schema.ts'

export function toPush(row: PushRow): PushResource {
  return {
    id: row.id,
    branch: row.branch,
    message: row.message,
    ...(row.unit_ids !== null && { unitIds: unitIdsOf(row) }),
    overwrite: row.overwrite === 1,
    ...jobMembers(row),
    ...(row.outcome !== null && { outcome: row.outcome }),
    ...(row.commit_id !== null && { commit: row.commit_id }),
    ...(row.files !== null && { files: JSON.parse(row.files) as NonNullable<PushResource['files']> }),
    ...listMember('removed', row.removed),
    ...listMember('kept', row.kept),
    ...listMember('skipped', row.skipped),
  }
}

/** Returns a member for a list that is not empty. */
function listMember<Name extends 'removed' | 'kept' | 'skipped'>(
  name: Name,
  text: string | null,
): Partial<Pick<PushResource, Name>> {
  const list = text === null ? [] : (JSON.parse(text) as NonNullable<PushResource[Name]>)
  return list.length === 0 ? {} : ({ [name]: list } as Pick<PushResource, Name>)
}

/** Undefined for all units. */
export function unitIdsOf({ unit_ids }: Pick<PushRow, 'unit_ids'>): string[] | undefined {
  return unit_ids === null ? undefined : (JSON.parse(unit_ids) as string[])
}

interface StoredCommit extends Omit<SentCommit, 'pushed' | 'skipped'> {
  /** Commits of earlier versions have none. */
  readonly skipped?: SentCommit['skipped']
  readonly pushed: readonly (readonly [path: string, sha256: string])[]
}

/** The commits that a push was about to send so far. */
export function readSent({ sent }: Pick<PushRow, 'sent'>): SentCommit[] {
  const stored = sent === null ? [] : (JSON.parse(sent) as readonly StoredCommit[])
  return stored.map((commit) => ({ skipped: [], ...commit, pushed: new Map(commit.pushed) }))
}

export function writeSent(sent: readonly SentCommit[]): string {
  return JSON.stringify(sent.map((commit): StoredCommit => ({ ...commit, pushed: [...commit.pushed] })))
}
