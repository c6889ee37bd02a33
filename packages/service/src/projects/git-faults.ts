import type { Fault } from '@stagecraft/spec'
import type { ServiceSettings } from '../context.ts'
import type { GitInput } from './git-settings.ts'

/** What is wrong with where pushes are to go, as far as it can be told without going there. */
export function gitFaults(_git: GitInput, _settings: ServiceSettings): readonly Fault[] {
  return []
}
