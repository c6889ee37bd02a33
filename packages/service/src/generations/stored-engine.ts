import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { EngineAnswer } from '@stagecraft/core'
import { nameModel } from '@stagecraft/core/run'
import { type GenerationRequest, StagecraftError } from '@stagecraft/spec'
import { type Caller, storedGenerationRequestSchema } from '@stagecraft/spec/api'
import { validate } from '@stagecraft/spec/validate'
import { audited } from '../audit/audit-log.ts'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { createLease, LeaseLost } from '../jobs/lease.ts'
import { type ProjectSettings, projectSettings } from '../projects/project-settings.ts'
import { renewClaim } from '../store/claims.ts'
import type { GenerationRow } from '../store/schema.ts'
import { insertUnit, unitData } from '../units/units.ts'
import { makeGeneration, readTable } from './generate-unit.ts'
import {
  type FailedGeneration,
  GenerationAttempt,
  type GenerationSubject,
  type MadeGeneration,
  publishStarted,
} from './generation-attempt.ts'
import { newGeneration } from './batch-members.ts'
import { askedColumn } from './read-generations.ts'

export interface StoredRunOptions {
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal
  /** The key of the request. */
  readonly caller?: Caller
  /** Default: a new one. */
  readonly requestId?: string
}

/** Answers `POST /generate` like the engine, and stores the result. */
export interface StoredEngine {
  /**
   * Generates a unit. A request that is refused leaves nothing behind: its table is looked up before the unit of its
   * type and source is found or made.
   *
   * @param request Any JSON.
   * @throws {StagecraftError} INVALID_REQUEST, INVALID_SOURCE, CONNECTION_FAILED or GENERATION_FAILED; FORBIDDEN for a
   * key that opens no project.
   */
  generate(request: unknown, options?: StoredRunOptions): Promise<EngineAnswer>
}

export interface StoredEngineOptions {
  /** The interval in milliseconds at which a request renews its lease. @default a sixth of the lease */
  readonly renewMs?: number
}

/**
 * The lease of a generation by a request. If it is not renewed in this time, the process has died and the generation
 * fails.
 */
const LEASE_MS = 60_000

export function storedEngine(
  context: ServiceContext,
  { renewMs = LEASE_MS / 6 }: StoredEngineOptions = {},
): StoredEngine {
  const { clock, ids, store } = context
  const answer = async (asked: unknown, { caller, requestId, signal }: Answering): Promise<EngineAnswer> => {
    const { projectId } = caller
    const begunAt = clock.now()
    const { columns, request } = checkRequest(asked)
    const settings = await projectSettings(store.db, projectId)
    const connectionId = await connectionOf(request, projectId, context)
    const found = await readTable(request, context, { projectId, columns, connectionId, settings, signal })
    found.table.check()
    signal.throwIfAborted()
    const decided = { ...settings, dialect: found.dialect }
    const traced = askedColumn('generate', { caller, requestId })
    const begun = await beginRequest({ columns, projectId, request, settings: decided, traced }, context)
    const work = async (stop: AbortSignal) => {
      const { meta, ...made } = await makeGeneration(found, stop)
      return { meta, made: { ...made, durationMs: clock.now() - begunAt } }
    }
    const { made, meta } = await whileLeased(begun, { signal, renewMs, work }, context)
    const timestamp = new Date(clock.now()).toISOString()
    return { data: made.data, meta: { requestId, timestamp, ...meta } }
  }
  return {
    async generate(
      asked,
      { caller, requestId = ids.next('req'), signal = new AbortController().signal } = {},
    ) {
      if (!caller) throw new StagecraftError('FORBIDDEN', 'the key belongs to no project')
      const call = { operation: 'generate', caller, requestId }
      return await audited(context, call, () => answer(asked, { caller, requestId, signal }))
    },
  }
}

interface Answering {
  readonly caller: Caller
  readonly requestId: string
  readonly signal: AbortSignal
}

interface Checked {
  readonly request: GenerationRequest
  readonly columns: GenerationRow['columns']
}

function checkRequest(asked: unknown): Checked {
  const { options, ...rest } = validate(storedGenerationRequestSchema, asked, 'the request')
  if (!options) return { request: rest, columns: 'live' }
  const { columns = 'live', ...plain } = options
  return { request: { ...rest, options: plain }, columns }
}

/** A unit may have its own connection. */
async function connectionOf(
  { source, type }: GenerationRequest,
  projectId: string,
  { store }: ServiceContext,
): Promise<string | null> {
  const unit = await store.db
    .selectFrom('units')
    .select('connection_id')
    .where('project_id', '=', projectId)
    .where('type', '=', type)
    .where('source', '=', source)
    .executeTakeFirst()
  return unit?.connection_id ?? null
}

interface RequestBegin extends Checked {
  readonly projectId: string
  /** With the dialect that was chosen. */
  readonly settings: ProjectSettings
  readonly traced: ReturnType<typeof askedColumn>
}

/** The generation of a request that has started. */
interface BegunRequest {
  readonly row: GenerationRow
  readonly subject: GenerationSubject
}

/** Finds or creates the unit of a request, and starts its generation. */
async function beginRequest(
  { columns, projectId, request: { options = {}, source, type }, settings, traced }: RequestBegin,
  context: ServiceContext,
): Promise<BegunRequest> {
  const name = nameModel({ source, type }, settings)
  return await change(context, projectId, async (tx) => {
    const now = await tx.now()
    const { isNew, row: unit } = await insertUnit(tx, {
      name,
      type,
      source,
      options,
      connectionId: undefined,
    })
    if (isNew) await tx.publish('unit.created', unitData(unit))
    const given = {
      id: tx.ids.next('gen'),
      project_id: projectId,
      kind: 'unit',
      unit_id: unit.id,
      columns,
      ...traced,
    } as const
    const claim = { lease_owner: `request:${randomUUID()}`, lease_until: now + LEASE_MS, attempts: 1 }
    const begun = { is_request: 1, start_published: 1, state: 'running', started_at: now } as const
    const row = newGeneration({ ...given, ...claim, ...begun }, now)
    await tx.db.insertInto('generations').values(row).execute()
    const isOfUnit = isNew || isDeepStrictEqual(JSON.parse(unit.options), options)
    const subject = { generationId: row.id, unit, isOfUnit }
    await publishStarted(tx, subject)
    return { row, subject }
  })
}

interface LeasedWork<Answer> {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  readonly renewMs: number
  readonly work: (signal: AbortSignal) => Promise<Answer>
}

/**
 * Generates while renewing the lease, and writes the result.
 *
 * @throws {LeaseLost} When the generation was cancelled or deleted meanwhile.
 */
async function whileLeased<Answer extends { readonly made: MadeGeneration }>(
  { row, subject }: BegunRequest,
  { renewMs, signal: client, work }: LeasedWork<Answer>,
  context: ServiceContext,
): Promise<Answer> {
  const lost = new AbortController()
  const signal = AbortSignal.any([client, lost.signal])
  const attempt = new GenerationAttempt(createLease(context, { table: 'generations', row, signal }))
  const claim = { table: 'generations', ids: [row.id], leaseOwner: row.lease_owner ?? '' } as const
  const renew = async (): Promise<void> => {
    const kept = await renewClaim(context.store, claim, LEASE_MS)
    if (kept.length === 0) lost.abort(new LeaseLost())
  }
  const timer = setInterval(() => {
    renew().catch((error: unknown) =>
      context.logger.warn(
        { generation: row.id, error: String(error) },
        "could not renew a generation's lease",
      ),
    )
  }, renewMs).unref()
  try {
    const answer = await work(signal).catch(async (error: unknown): Promise<never> => {
      const cause: unknown = signal.aborted ? signal.reason : error
      if (!(cause instanceof LeaseLost))
        await attempt.fail([failureOf(subject, cause, client)]).catch(unlessLost)
      throw cause
    })
    await attempt.complete([{ subject, made: answer.made }])
    return answer
  } finally {
    clearInterval(timer)
  }
}

/** Keeps the end of a generation that was ended elsewhere. */
function unlessLost(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error
}

function failureOf(subject: GenerationSubject, cause: unknown, client: AbortSignal): FailedGeneration {
  if (!client.aborted || cause instanceof StagecraftError) return { subject, error: cause }
  const error = new StagecraftError('GENERATION_FAILED', 'the client disconnected before it was done')
  return { subject, error, state: 'cancelled' }
}
