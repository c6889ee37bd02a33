import type { Fault } from '@stagecraft/spec'
import type { ServiceSettings } from '../context.ts'
import { branchProblem } from '../git/branch-name.ts'
import type { PushPolicy } from '../git/push-options.ts'
import { readRemote, type Remote } from '../git/remote.ts'
import type { GitInput, GitSecret } from './git-settings.ts'

/** Returns the policy of pushes. Local remotes are allowed for projects that may read files of this machine. */
export function pushPolicy({ allowLocalFiles }: Pick<ServiceSettings, 'allowLocalFiles'>): PushPolicy {
  return { allowLocal: allowLocalFiles, allowPrivateHosts: allowLocalFiles }
}

const PRIVATE_KEY = /^\s*-----BEGIN (?:(?!ENCRYPTED)[A-Z]+ )*PRIVATE KEY-----/

/** Returns true if a text has the form of a private key without a passphrase. */
function isOpenKey(text: string): boolean {
  if (!PRIVATE_KEY.test(text) || text.includes('Proc-Type: 4,ENCRYPTED')) return false
  const [, body] = /-----BEGIN OPENSSH PRIVATE KEY-----([^-]*)/.exec(text) ?? []
  // The cipher name follows its length (PROTOCOL.key of OpenSSH).
  return body === undefined || decodeText(body).startsWith('openssh-key-v1\0\0\0\0\u0004none')
}

function decodeText(base64: string): string {
  try {
    return atob(base64.replaceAll(/\s/g, ''))
  } catch {
    // Not base64, so it is not a key.
    return ''
  }
}

/** The credentials that each protocol uses. A path needs none. */
const USES: Readonly<Record<Remote['protocol'], readonly (keyof GitSecret)[]>> = {
  https: ['token', 'username'],
  http: ['token', 'username'],
  ssh: ['privateKey', 'knownHosts'],
  file: [],
}

/** Returns the faults of credentials that cannot work for the remote, or that no header can carry. */
function credentialFaults({ protocol }: Remote, given: GitSecret): readonly Fault[] {
  const used = USES[protocol]
  const expected = used.length === 0 ? 'no credentials for a path' : `${used.join(' and ')} for ${protocol}`
  const faults = Object.entries(given)
    .filter(([name, value]) => value !== undefined && !used.some((one) => one === name))
    .map(([name]) => ({ path: `git.${name}`, expected, received: name }))
  const { token = '', username = 'x' } = given
  const isPlain = (text: string): boolean => !/\p{Cc}/u.test(text)
  return [
    ...faults,
    ...(isPlain(token)
      ? []
      : [{ path: 'git.token', expected: 'a token without control characters', received: 'one with some' }]),
    ...(isPlain(username) && !username.includes(':')
      ? []
      : [
          {
            path: 'git.username',
            expected: 'a user name without : and control characters',
            received: 'another',
          },
        ]),
  ]
}

/** Returns the faults of Git settings that can be found without connecting. */
export function gitFaults(
  { branch, knownHosts, privateKey, remote, token, username }: GitInput,
  settings: ServiceSettings,
): readonly Fault[] {
  const faults: Fault[] = []
  const check = readRemote(remote, pushPolicy(settings))
  if ('problem' in check) faults.push({ path: 'git.remote', ...check.problem })
  const expected = branch === undefined ? undefined : branchProblem(branch)
  if (expected !== undefined) faults.push({ path: 'git.branch', expected, received: JSON.stringify(branch) })
  if (token !== undefined && privateKey !== undefined)
    faults.push({ path: 'git', expected: 'a token or a private key', received: 'both' })
  else if ('remote' in check)
    faults.push(...credentialFaults(check.remote, { knownHosts, privateKey, token, username }))
  const isUsed = 'remote' in check && check.remote.protocol === 'ssh'
  if (isUsed && privateKey !== undefined && !isOpenKey(privateKey)) {
    const expected = 'a private key without a passphrase, from -----BEGIN … PRIVATE KEY----- on'
    faults.push({ path: 'git.privateKey', expected, received: 'something else' })
  }
  return faults
}
