import type { PlannedPushResource, PushPlan, PushResource } from '@stagecraft/spec/api'
import type { SentCommit } from '../git/push-options.ts'
import { jobMembers } from '../resources/job-members.ts'
import type { PushRow } from '../store/schema.ts'

/** The columns of a push for lists. Plans and commits may be large. */
export const LISTED_COLUMNS = [
  'id',
  'branch',
  'message',
  'unit_ids',
  'analysis_id',
  'overwrite',
  'dry_run',
  'state',
  'error',
  'created_at',
  'started_at',
  'finished_at',
  'outcome',
  'commit_id',
  'files',
  'removed',
  'kept',
  'skipped',
  'conflicts',
] as const satisfies readonly (keyof PushRow)[]

/** The columns of a push that has not run. */
export const NO_OUTCOME = {
  sent: null,
  outcome: null,
  commit_id: null,
  files: null,
  removed: null,
  kept: null,
  skipped: null,
  conflicts: null,
  plan: null,
} as const satisfies Partial<PushRow>

export function toPush(row: Pick<PushRow, (typeof LISTED_COLUMNS)[number]>): PushResource {
  return {
    id: row.id,
    branch: row.branch,
    message: row.message,
    ...(row.analysis_id !== null && { analysisId: row.analysis_id }),
    ...(row.unit_ids !== null && row.analysis_id === null && { unitIds: unitIdsOf(row) }),
    overwrite: row.overwrite === 1,
    dryRun: row.dry_run === 1,
    ...jobMembers(row),
    ...(row.outcome !== null && { outcome: row.outcome }),
    ...(row.commit_id !== null && { commit: row.commit_id }),
    ...(row.files !== null && { files: JSON.parse(row.files) as NonNullable<PushResource['files']> }),
    ...listMember('removed', row.removed),
    ...listMember('kept', row.kept),
    ...listMember('skipped', row.skipped),
    ...listMember('conflicts', row.conflicts),
  }
}

/** Returns a push with its plan. */
export function toPlannedPush(row: PushRow): PlannedPushResource {
  return { ...toPush(row), ...(row.plan !== null && { plan: JSON.parse(row.plan) as PushPlan }) }
}

/** Returns a member for a list, unless the list is empty. */
function listMember<Name extends 'removed' | 'kept' | 'skipped' | 'conflicts'>(
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

interface StoredCommit extends Omit<SentCommit, 'pushed' | 'skipped' | 'conflicts'> {
  /** Commits of earlier versions have none. */
  readonly skipped?: SentCommit['skipped']
  readonly conflicts?: SentCommit['conflicts']
  readonly pushed: readonly (readonly [path: string, sha256: string])[]
}

/** Returns the commits that earlier attempts were about to send. */
export function readSent({ sent }: Pick<PushRow, 'sent'>): SentCommit[] {
  const stored = sent === null ? [] : (JSON.parse(sent) as readonly StoredCommit[])
  return stored.map((commit) => ({ skipped: [], conflicts: [], ...commit, pushed: new Map(commit.pushed) }))
}

export function writeSent(sent: readonly SentCommit[]): string {
  return JSON.stringify(sent.map((commit): StoredCommit => ({ ...commit, pushed: [...commit.pushed] })))
}
