import type { Call, API_OPERATIONS } from '@stagecraft/spec/api'
import type { Cipher } from '../secrets/cipher.ts'
import type { ProjectRow } from '../store/schema.ts'

/** Where pushes go, and whose they are. */
export interface GitSettings {
  readonly remote: string
  readonly branch?: string
  readonly authorName?: string
  readonly authorEmail?: string
}

/** What opens the repository. */
export interface GitSecret {
  readonly username?: string
  readonly token?: string
  readonly privateKey?: string
  readonly knownHosts?: string
}

/** As requests give it: both in one. */
export type GitInput = NonNullable<Call<(typeof API_OPERATIONS)['createProject']>['body']['git']>

type GitColumns = Pick<ProjectRow, 'git' | 'git_secret'>

export function gitOf({ git }: Pick<ProjectRow, 'git'>): GitSettings | undefined {
  return git === null ? undefined : (JSON.parse(git) as GitSettings)
}

/** @throws {StagecraftError} CONNECTION_FAILED for what another key sealed. */
export function gitSecretOf(
  { git_secret, id }: Pick<ProjectRow, 'git_secret' | 'id'>,
  cipher: Cipher,
): GitSecret {
  return git_secret === null ? {} : (JSON.parse(cipher.open(git_secret, placeOf(id))) as GitSecret)
}

/** The columns for new settings. Credentials that are not given stay while they are for the same remote. */
export function gitColumns(
  { knownHosts, privateKey, token, username, ...settings }: GitInput,
  { before, cipher, id }: { readonly before?: GitColumns; readonly cipher: Cipher; readonly id: string },
): GitColumns {
  const given = Object.entries({ username, token, privateKey, knownHosts }).filter(
    ([, value]) => value !== undefined,
  )
  const isSameRemote = before !== undefined && gitOf(before)?.remote === settings.remote
  const kept = isSameRemote ? before.git_secret : null
  return {
    git: JSON.stringify(settings),
    git_secret:
      given.length === 0 ? kept : cipher.seal(JSON.stringify(Object.fromEntries(given)), placeOf(id)),
  }
}

function placeOf(id: string): string {
  return `projects/${id}/git_secret`
}
