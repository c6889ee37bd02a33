import { type EditedItem, printItem } from '@stagecraft/core/run'
import type { DialectName, Generation } from '@stagecraft/spec'
import type { Change } from '../change.ts'
import { toJobError } from '../jobs/run-jobs.ts'
import type { Lease } from '../jobs/lease.ts'
import { UNCLAIMED } from '../store/claims.ts'
import type { GenerationRow, JobError, UnitRow } from '../store/schema.ts'
import { unitFields } from '../units/units.ts'
import { storeFiles } from './generated-files.ts'

/** A generation and its unit. */
export interface GenerationSubject {
  readonly generationId: string
  readonly unit: Pick<UnitRow, 'id' | 'project_id' | 'name' | 'type'>
  /**
   * True if it counts as the newest of its unit. Options that differ from the unit's make it a trial, which archives and
   * pushes do not use.
   *
   * @default true
   */
  readonly isOfUnit?: boolean
}

/** The result of generating a unit. */
export interface MadeGeneration {
  readonly data: Generation
  /** The input of the generation. */
  readonly item: EditedItem
  readonly dialect: DialectName
  readonly tokensUsed: number
  readonly durationMs: number
}

/** A failed generation and its error. */
export interface FailedGeneration {
  readonly subject: GenerationSubject
  readonly error: unknown
  /** @default 'failed' */
  readonly state?: 'failed' | 'cancelled'
}

/**
 * One attempt to generate units: that of a request, of a job, or of a batch with its members. Every step is one
 * transaction that first checks the lease. A generation that was cancelled, or whose unit was deleted, stays as it is.
 */
export class GenerationAttempt {
  readonly #lease: Lease<'generations'>

  constructor(lease: Lease<'generations'>) {
    this.#lease = lease
  }

  /**
   * Marks generations as begun, and publishes `generation.started` once for each.
   *
   * @throws {LeaseLost}
   */
  async start(subjects: readonly GenerationSubject[]): Promise<void> {
    await this.#lease.change((tx) => startGenerations(tx, subjects))
  }

  /**
   * Writes the results, and publishes `generation.completed`.
   *
   * @throws {LeaseLost}
   */
  async complete(
    done: readonly { readonly subject: GenerationSubject; readonly made: MadeGeneration }[],
  ): Promise<void> {
    const write = async (tx: Change): Promise<void> => {
      for (const { made, subject } of done) await completeGeneration(tx, subject, made)
    }
    await this.#lease.change(write, { ends: this.#isOwn(done) })
  }

  /**
   * Writes the errors, and publishes `generation.failed`.
   *
   * @throws {LeaseLost}
   */
  async fail(failed: readonly FailedGeneration[]): Promise<void> {
    const write = async (tx: Change): Promise<void> => {
      for (const { error, state = 'failed', subject } of failed)
        await endGenerations(tx, { ids: [subject.generationId] }, { state, error: toJobError(error) })
    }
    await this.#lease.change(write, { ends: this.#isOwn(failed) })
  }

  /** Returns true if the lease belongs to one of the generations, and not to their batch. */
  #isOwn(ended: readonly { readonly subject: GenerationSubject }[]): boolean {
    return ended.some(({ subject }) => subject.generationId === this.#lease.id)
  }
}

async function startGenerations(tx: Change, subjects: readonly GenerationSubject[]): Promise<void> {
  const now = await tx.now()
  const rows = await tx.db
    .updateTable('generations')
    .set((column) => ({
      state: 'running',
      start_published: 1,
      started_at: column.fn.coalesce('started_at', column.val(now)),
    }))
    .where(
      'id',
      'in',
      subjects.map(({ generationId }) => generationId),
    )
    .where('state', 'in', ['queued', 'running'])
    .where('start_published', '=', 0)
    .returning('id')
    .execute()
  const started = new Set(rows.map(({ id }) => id))
  for (const subject of subjects) if (started.has(subject.generationId)) await publishStarted(tx, subject)
}

/** Publishes `generation.started`. */
export function publishStarted(tx: Change, { generationId, unit }: GenerationSubject): Promise<void> {
  return tx.publish('generation.started', { ...unitFields(unit), generation_id: generationId })
}

async function completeGeneration(
  tx: Change,
  { generationId, isOfUnit = true, unit }: GenerationSubject,
  { data, dialect, durationMs, item, tokensUsed }: MadeGeneration,
): Promise<void> {
  const row = await tx.db
    .updateTable('generations')
    .set({
      state: 'completed',
      finished_at: await tx.now(),
      item: printItem(item),
      dialect,
      tests: JSON.stringify(data.tests),
      column_count: item.table.columns.length,
      warnings: JSON.stringify(data.warnings),
      tokens_used: tokensUsed,
      duration_ms: durationMs,
      ...UNCLAIMED,
    })
    .where('id', '=', generationId)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  if (!row) return
  const files = data.files.map(({ content, path }) => ({ path, content, lines: countLines(content) }))
  await storeFiles(tx.db, files, { generationId, projectId: unit.project_id, now: await tx.now() })
  if (isOfUnit) {
    const newest = { last_generation_id: generationId }
    await tx.db.updateTable('units').set(newest).where('id', '=', unit.id).execute()
  }
  const files_generated = files.map(({ lines, path }) => ({ path, lines }))
  const completed = { ...unitFields(unit), files_generated, duration_ms: durationMs }
  await tx.publish('generation.completed', completed)
}

function countLines(content: string): number {
  if (content === '') return 0
  return content.split('\n').length - (content.endsWith('\n') ? 1 : 0)
}

export interface GenerationEnd {
  readonly state: 'failed' | 'cancelled'
  readonly error: JobError
}

/** Selects among the running generations. */
export type OpenGenerations =
  | { readonly ids: readonly string[] }
  | { readonly batchId: string; readonly startPublished: GenerationRow['start_published'] }

/**
 * Ends running generations; those that have ended stay as they are.
 *
 * @returns The ids of those that it ended.
 */
export async function endGenerations(
  tx: Change,
  open: OpenGenerations,
  { error, state }: GenerationEnd,
): Promise<readonly string[]> {
  const update = tx.db
    .updateTable('generations')
    .set({ state, finished_at: await tx.now(), error: JSON.stringify(error), ...UNCLAIMED })
    .where('state', 'in', ['queued', 'running'])
  const rows = await (
    'ids' in open
      ? update.where('id', 'in', open.ids)
      : update.where('batch_id', '=', open.batchId).where('start_published', '=', open.startPublished)
  )
    .returning('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  await publishEnds(tx, ids, error)
  return ids
}

/** Ends the open members of a batch. Members that began share the end of the batch; the others are cancelled. */
export async function endMembers(tx: Change, batchId: string, end: GenerationEnd): Promise<void> {
  await endGenerations(tx, { batchId, startPublished: 1 }, end)
  await endGenerations(tx, { batchId, startPublished: 0 }, { ...end, state: 'cancelled' })
}

const DELETED: JobError = { code: 'GENERATION_FAILED', message: 'its unit was deleted' }

/** Publishes the end of each generation of a deleted unit, so that every start event has an end event. */
export async function failOpenGenerations(tx: Change, { id }: Pick<UnitRow, 'id'>): Promise<void> {
  // An update waits for generations that are just ending; they are then no longer open.
  const rows = await tx.db
    .updateTable('generations')
    .set({ cancel: 1 })
    .where('unit_id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .returning('id')
    .execute()
  await publishEnds(
    tx,
    rows.map((row) => row.id),
    DELETED,
  )
}

const CHUNK = 1000

/** Publishes `generation.failed` for generations whose start was published. */
export async function publishEnds(tx: Change, ids: readonly string[], error: JobError): Promise<void> {
  const now = await tx.now()
  const { code, message } = error
  for (let start = 0; start < ids.length; start += CHUNK) {
    const rows = await tx.db
      .selectFrom('generations')
      .innerJoin('units', 'units.id', 'generations.unit_id')
      .select(['generations.id as generationId', 'generations.started_at'])
      .select(['units.id', 'units.project_id', 'units.name', 'units.type'])
      .where('generations.id', 'in', ids.slice(start, start + CHUNK))
      .where('generations.start_published', '=', 1)
      .orderBy('generations.id')
      .execute()
    for (const { generationId, started_at, ...unit } of rows) {
      const duration_ms = now - (started_at ?? now)
      const failed = {
        ...unitFields(unit),
        generation_id: generationId,
        error: { code, message },
        duration_ms,
      }
      await tx.publish('generation.failed', failed)
    }
  }
}
