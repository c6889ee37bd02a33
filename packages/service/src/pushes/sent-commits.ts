import type { SentCommit } from '../git/push-options.ts'
import type { PushRow } from '../store/schema.ts'

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
