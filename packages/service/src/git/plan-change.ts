import { checkForeign } from './check-foreign.ts'
import { keepWhole } from './keep-whole.ts'
import { leaveOut } from './leave-out.ts'
import { type ByteFile, planCommit, type PlannedWrite } from './plan-commit.ts'
import { planRemovals } from './plan-removals.ts'
import type { KeptFile, PushOptions, SkippedPart } from './push-options.ts'
import type { Git } from './run-git.ts'
import { readTreeEntries } from './tree-entries.ts'

export interface ChangeOptions extends Pick<PushOptions, 'gone' | 'lastPushed' | 'overwrite'> {
  readonly bytes: readonly ByteFile[]
  /** The commit that is built on; undefined in an empty repository. */
  readonly parent: string | undefined
}

/** The changes of a commit. */
export interface PlannedChange {
  readonly writes: readonly PlannedWrite[]
  readonly removed: readonly string[]
  readonly kept: readonly KeptFile[]
  readonly skipped: readonly SkippedPart[]
  /** By path, the SHA-256 of every file that was given and not skipped, as it is with this change. */
  readonly pushed: ReadonlyMap<string, string>
}

/**
 * Plans what becomes of the files that are given and of those that are gone, so that the dbt project stays whole. What
 * other files of the branch define is left out.
 *
 * @throws {StagecraftError} INVALID_REQUEST for work of others that is in the way, or that would lose its source.
 */
export async function planChange(git: Git, options: ChangeOptions): Promise<PlannedChange> {
  const { gone, parent } = options
  const skipped: SkippedPart[] = []
  let { bytes } = options
  for (;;) {
    const paths = [...bytes.map(({ path }) => path), ...(gone?.paths ?? [])]
    const entries = parent === undefined ? new Map() : await readTreeEntries(git, { commit: parent, paths })
    const plan = planCommit(bytes, entries)
    await checkForeign(git, plan, options)
    const { kept, removals } = await planRemovals(git, entries, options)
    if (parent === undefined)
      return { writes: plan.writes, removed: [], kept, skipped, pushed: hashesOf(bytes) }
    const whole = await keepWhole(git, { commit: parent, bytes, plan, removals, of: gone?.of ?? 'all' })
    if ('clashes' in whole) {
      const rest = leaveOut(bytes, { ...whole, present: new Set(plan.foreign.map(({ path }) => path)) })
      skipped.push(...rest.skipped)
      ;({ bytes } = rest)
      continue
    }
    const pushed = hashesOf([...bytes, ...whole.amended])
    return { writes: whole.writes, removed: whole.removed, kept: [...kept, ...whole.kept], skipped, pushed }
  }
}

function hashesOf(files: readonly ByteFile[]): ReadonlyMap<string, string> {
  return new Map(files.map(({ path, sha256 }) => [path, sha256]))
}
