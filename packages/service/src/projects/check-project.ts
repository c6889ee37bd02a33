import { StagecraftError } from '@stagecraft/spec'
import { fillConfig } from '@stagecraft/core/run'
import type { ServiceSettings } from '../context.ts'
import { gitFaults } from './git-faults.ts'
import type { NewProject } from './insert-project.ts'

type Checked = {
  readonly [Name in 'config' | 'dbtVersion' | 'git']?: NewProject[Name] | null | undefined
}

/** @throws {StagecraftError} INVALID_REQUEST for what the schemas cannot tell. */
export function checkProject({ config, dbtVersion, git }: Checked, settings: ServiceSettings): void {
  // The engine would refuse them at each generation, far from whoever wrote them.
  fillConfig({ ...config, ...(typeof dbtVersion === 'string' && { dbtVersion }) })
  const [first, ...others] = git ? gitFaults(git, settings) : []
  if (first) throw StagecraftError.invalid([first, ...others])
}
