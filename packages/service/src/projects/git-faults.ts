import type { Fault } from '@stagecraft/spec'
import type { ServiceSettings } from '../context.ts'
import { branchProblem } from '../git/branch-name.ts'
import type { PushPolicy } from '../git/push-options.ts'
import { readRemote } from '../git/remote.ts'
import type { GitInput } from './git-settings.ts'

/** Where pushes may go: what is local is for those who may read files of this machine anyway. */
export function pushPolicy({ allowLocalFiles }: Pick<ServiceSettings, 'allowLocalFiles'>): PushPolicy {
  return { allowLocal: allowLocalFiles, allowPrivateHosts: allowLocalFiles }
}

/** What is wrong with where pushes are to go, as far as it can be told without going there. */
export function gitFaults(
  { branch, privateKey, remote, token }: GitInput,
  settings: ServiceSettings,
): readonly Fault[] {
  const faults: Fault[] = []
  const check = readRemote(remote, pushPolicy(settings))
  if ('problem' in check) faults.push({ path: 'git.remote', ...check.problem })
  const expected = branch === undefined ? undefined : branchProblem(branch)
  if (expected !== undefined) faults.push({ path: 'git.branch', expected, received: JSON.stringify(branch) })
  if (token !== undefined && privateKey !== undefined)
    faults.push({ path: 'git', expected: 'a token or a private key', received: 'both' })
  return faults
}
