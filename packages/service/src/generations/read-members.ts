import { chooseDialect, type EditedItem, readRequests } from '@stagecraft/core/run'
import type { DialectName } from '@stagecraft/spec'
import type { ProjectSettings } from '../projects/project-settings.ts'
import type { Batch } from './batch.ts'
import type { BatchMember } from './batch-members.ts'
import { withColumns } from './with-columns.ts'

/** A member whose table is known. */
interface ReadMember {
  readonly member: BatchMember
  readonly item: EditedItem
}

/** A member that cannot be generated, and why. */
interface FailedMember {
  readonly member: BatchMember
  readonly error: unknown
}

export interface ReadGroup {
  readonly dialect: DialectName
  readonly read: readonly ReadMember[]
  readonly failed: readonly FailedMember[]
}

/**
 * Reads the tables of members of one connection together.
 *
 * @throws {StagecraftError} What keeps all of them from being read.
 */
export function readMembers(
  members: readonly BatchMember[],
  settings: ProjectSettings,
  { context, row, signal }: Batch,
): Promise<ReadGroup> {
  const place = {
    projectId: row.project_id,
    columns: row.columns,
    signal,
    connectionId: members[0]?.connectionId ?? null,
  }
  return withColumns(context, place, async (catalog) => {
    const dialect = chooseDialect(settings, catalog)
    const fresh = members.filter(({ before }) => before === undefined)
    const requests = fresh.map(({ request }) => request)
    const outcomes = await readRequests(requests, { ...settings, dialect, catalog, signal })
    const byMember = new Map(fresh.map((member, index) => [member, outcomes[index]]))
    const read: ReadMember[] = []
    const failed: FailedMember[] = []
    for (const member of members) {
      const outcome = member.before ?? byMember.get(member)
      if (outcome && 'item' in outcome) read.push({ member, item: outcome.item })
      else failed.push({ member, error: outcome?.error })
    }
    return { dialect, read, failed }
  })
}
