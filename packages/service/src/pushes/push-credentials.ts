import type { GitCredentials } from '../git/push-options.ts'
import type { GitSecret } from '../projects/git-settings.ts'

/** What opens the remote: a token over https, a key over ssh. */
export function pushCredentials(
  { knownHosts, privateKey, token, username }: GitSecret,
  remote: string,
): GitCredentials | undefined {
  const isWeb = /^https?:/i.test(remote)
  if (token !== undefined && (isWeb || privateKey === undefined))
    return { token, ...(username !== undefined && { username }) }
  if (privateKey === undefined) return undefined
  return { privateKey, ...(knownHosts !== undefined && { knownHosts }) }
}
