import type { Dialect } from '@stagecraft/dialects'
import { StagecraftError } from '@stagecraft/spec'
import type { YamlProfile } from '../yaml/profiles.ts'
import type { TemplateName, Templates } from './templates.ts'

/** The templates and the YAML profile that print plans. */
export interface Renderer {
  readonly templates: Templates
  readonly profile: YamlProfile
  readonly dialect: Dialect
}

/** The error for what a user's own template printed, when it does not say what was planned. */
export function notAsPlanned(template: TemplateName, subject: string, reason: string): StagecraftError {
  const message = `template ${template} printed something else for ${subject} than was planned: ${reason}`
  return new StagecraftError('GENERATION_FAILED', message, { details: { template, reason } })
}
