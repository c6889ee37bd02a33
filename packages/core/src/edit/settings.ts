import { type Editing, editingSchema } from '@stagecraft/spec'
import { validate } from '@stagecraft/spec/validate'
import type { Decided } from '../presets/preset.ts'

/** Editing with nothing left open. */
export type DecidedEditing = Decided<Editing>

const DEFAULTS: DecidedEditing = {
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
 * Lays what the caller says over the defaults.
 *
 * @throws {StagecraftError} INVALID_REQUEST for limits that are none.
 */
export function decideEditing(editing: Editing = {}): DecidedEditing {
  const said = Object.entries(validate(editingSchema, editing, 'editing')).filter(
    ([, value]) => value !== undefined,
  )
  return { ...DEFAULTS, ...Object.fromEntries(said) }
}
