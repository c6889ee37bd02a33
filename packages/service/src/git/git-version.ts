import { pushFailed } from './failures.ts'
import type { Git } from './run-git.ts'

/** Older ones read no settings from the environment, so that what they must not do would not reach them. */
const OLDEST = [2, 31] as const

/** @throws {StagecraftError} CONNECTION_FAILED for a git that is missing or too old. */
export async function requireGit(git: Git): Promise<void> {
  const printed = await git.read(['version'])
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(printed) ?? []
  const [oldestMajor, oldestMinor] = OLDEST
  const isOld = Number(major) < oldestMajor || (Number(major) === oldestMajor && Number(minor) < oldestMinor)
  if (isOld) throw pushFailed('git_too_old')
}
