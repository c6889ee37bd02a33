import { type Backend, type LlmSettings, llmSettingsSchema } from '@stagecraft/spec'
import { validate } from '@stagecraft/spec/validate'
import type { Decided } from '../presets/preset.ts'

/** The settings of a language model, with all defaults filled in. */
export type DecidedLlm = Decided<LlmSettings>

/** A language model with its settings. */
export interface AskedLlm extends DecidedLlm {
  readonly backend: Backend
}

const DEFAULTS: DecidedLlm = {
  onFailure: 'error',
  comments: false,
  redactNames: false,
  allowExpressions: false,
  examples: 40,
  columnsPerCall: 60,
  maxOutputTokens: 8192,
  maxTokens: 100_000,
  deadlineSeconds: 120,
}

/**
 * Applies the caller's settings to the defaults.
 *
 * @throws {StagecraftError} INVALID_REQUEST for invalid limits.
 */
export function decideLlm(settings: LlmSettings = {}): DecidedLlm {
  const given = Object.entries(validate(llmSettingsSchema, settings, 'llm')).filter(
    ([, value]) => value !== undefined,
  )
  return { ...DEFAULTS, ...Object.fromEntries(given) }
}
