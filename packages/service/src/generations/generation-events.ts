import type { Change } from '../change.ts'
import type { JobError, UnitRow } from '../store/schema.ts'
import { unitFields } from '../units/to-unit.ts'

/** The generation that an event is about. */
export interface GenerationSubject {
  readonly generationId: string
  readonly unit: Pick<UnitRow, 'id' | 'project_id' | 'name' | 'type'>
}

/** `generation.started`. */
export function publishStarted(tx: Change, { generationId, unit }: GenerationSubject): Promise<void> {
  const data = { ...unitFields(unit), generation_id: generationId }
  return tx.publish('generation.started', data)
}

export interface Completion {
  readonly unit: GenerationSubject['unit']
  readonly files: readonly { readonly path: string; readonly lines: number }[]
  readonly durationMs: number
}

/** `generation.completed`. */
export function publishCompleted(tx: Change, { durationMs, files, unit }: Completion): Promise<void> {
  const files_generated = files.map(({ lines, path }) => ({ path, lines }))
  const data = { ...unitFields(unit), files_generated, duration_ms: durationMs }
  return tx.publish('generation.completed', data)
}

export interface GenerationFailure extends GenerationSubject {
  readonly error: JobError
  readonly durationMs: number
}

/** `generation.failed`: what began and did not complete, one that was cancelled included. */
export function publishFailed(
  tx: Change,
  { durationMs, error: { code, message }, generationId, unit }: GenerationFailure,
): Promise<void> {
  const data = {
    ...unitFields(unit),
    generation_id: generationId,
    error: { code, message },
    duration_ms: durationMs,
  }
  return tx.publish('generation.failed', data)
}
