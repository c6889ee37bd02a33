import type { GitCredentials } from '../git/push-options.ts'
import type { GitSecret } from '../projects/git-settings.ts'

/** Returns the credentials of the remote: a token over https, a key over ssh. A project has one of them. */
export function pushCredentials({
  knownHosts,
  privateKey,
  token,
  username,
}: GitSecret): GitCredentials | undefined {
  if (token !== undefined) return { token, ...(username !== undefined && { username }) }
  if (privateKey === undefined) return undefined
  return { privateKey, ...(knownHosts !== undefined && { knownHosts }) }
}
