import type { Transaction } from 'kysely'
import { publish, type PublishSetup } from '../events/publish.ts'
import type { Database, JobError, UnitRow } from '../store/schema.ts'
import { unitFields } from '../units/to-unit.ts'

/** The generation that an event is about. */
export interface GenerationSubject {
  readonly generationId: string
  readonly unit: Pick<UnitRow, 'id' | 'project_id' | 'name' | 'type'>
}

/** `generation.started`. */
export function publishStarted(
  transaction: Transaction<Database>,
  { generationId, unit }: GenerationSubject,
  setup: PublishSetup,
): Promise<void> {
  const data = { ...unitFields(unit), generation_id: generationId }
  return publish(transaction, { projectId: unit.project_id, event: 'generation.started', data }, setup)
}

export interface Completion {
  readonly unit: GenerationSubject['unit']
  readonly files: readonly { readonly path: string; readonly lines: number }[]
  readonly durationMs: number
}

/** `generation.completed`. */
export function publishCompleted(
  transaction: Transaction<Database>,
  { durationMs, files, unit }: Completion,
  setup: PublishSetup,
): Promise<void> {
  const files_generated = files.map(({ lines, path }) => ({ path, lines }))
  const data = { ...unitFields(unit), files_generated, duration_ms: durationMs }
  return publish(transaction, { projectId: unit.project_id, event: 'generation.completed', data }, setup)
}

export interface GenerationFailure extends GenerationSubject {
  readonly error: JobError
  readonly durationMs: number
}

/** `generation.failed`: what began and did not complete, one that was cancelled included. */
export function publishFailed(
  transaction: Transaction<Database>,
  { durationMs, error: { code, message }, generationId, unit }: GenerationFailure,
  setup: PublishSetup,
): Promise<void> {
  const data = {
    ...unitFields(unit),
    generation_id: generationId,
    error: { code, message },
    duration_ms: durationMs,
  }
  return publish(transaction, { projectId: unit.project_id, event: 'generation.failed', data }, setup)
}
