import type { Call, API_OPERATIONS } from '@stagecraft/spec/api'
import type { Cipher } from '../secrets/cipher.ts'
import type { ProjectRow } from '../store/schema.ts'

/** The target of pushes, and their author. */
export interface GitSettings {
  readonly remote: string
  readonly branch?: string
  /** The folder of the dbt project in the repository. */
  readonly path?: string
  readonly authorName?: string
  readonly authorEmail?: string
}

/** The credentials of the repository. */
export interface GitSecret {
  readonly username?: string | undefined
  readonly token?: string | undefined
  readonly privateKey?: string | undefined
  readonly knownHosts?: string | undefined
}

/** The settings of a request: remote and credentials together. */
export type GitInput = NonNullable<Call<(typeof API_OPERATIONS)['createProject']>['body']['git']>

type GitColumns = Pick<ProjectRow, 'git' | 'git_secret'>

export function gitOf({ git }: Pick<ProjectRow, 'git'>): GitSettings | undefined {
  return git === null ? undefined : (JSON.parse(git) as GitSettings)
}

/** @throws {StagecraftError} CONNECTION_FAILED for credentials that were encrypted with another key. */
export function gitSecretOf(
  { git_secret, id }: Pick<ProjectRow, 'git_secret' | 'id'>,
  cipher: Cipher,
): GitSecret {
  return git_secret === null ? {} : (JSON.parse(cipher.open(git_secret, placeOf(id))) as GitSecret)
}

/** Returns the columns for new settings. Credentials that are omitted stay if the remote stays. */
export function gitColumns(
  { knownHosts, privateKey, token, username, ...settings }: GitInput,
  { before, cipher, id }: { readonly before?: GitColumns; readonly cipher: Cipher; readonly id: string },
): GitColumns {
  const given = Object.fromEntries(
    Object.entries({ username, token, privateKey, knownHosts }).filter(([, value]) => value !== undefined),
  )
  const isSameRemote = before !== undefined && gitOf(before)?.remote === settings.remote
  const kept = isSameRemote ? before.git_secret : null
  if (Object.keys(given).length === 0) return { git: JSON.stringify(settings), git_secret: kept }
  const secret = { ...keptBeside(given, gitSecretOf({ id, git_secret: kept }, cipher)), ...given }
  return { git: JSON.stringify(settings), git_secret: cipher.seal(JSON.stringify(secret), placeOf(id)) }
}

/** Keeps the fields that belong to the kind of the new credential: a token replaces a key and vice versa. */
function keptBeside(given: GitSecret, { knownHosts, privateKey, token, username }: GitSecret): GitSecret {
  const web = { ...(username !== undefined && { username }), ...(token !== undefined && { token }) }
  const ssh = {
    ...(privateKey !== undefined && { privateKey }),
    ...(knownHosts !== undefined && { knownHosts }),
  }
  return { ...(given.privateKey === undefined && web), ...(given.token === undefined && ssh) }
}

function placeOf(id: string): string {
  return `projects/${id}/git_secret`
}
