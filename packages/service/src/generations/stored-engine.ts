import type { EngineAnswer } from '@stagecraft/core'
import { type GenerationRequest, StagecraftError } from '@stagecraft/spec'
import { type Caller, storedGenerationRequestSchema } from '@stagecraft/spec/api'
import { validate } from '@stagecraft/spec/validate'
import type { ServiceContext } from '../context.ts'
import { projectSettings } from '../projects/project-settings.ts'
import type { GenerationRow } from '../store/schema.ts'
import { beginRequest, type BegunRequest } from './begin-request.ts'
import { completeRequest, failRequest } from './end-request.ts'
import { holdRequest } from './hold-request.ts'
import { type MadeAnswer, makeGeneration, readTable } from './make-generation.ts'

export interface StoredRunOptions {
  /** Aborts when the client goes away. */
  readonly signal?: AbortSignal
  /** The key that the request came with. */
  readonly caller?: Caller
  /** Default: a fresh one. */
  readonly requestId?: string
}

/** Answers `POST /generate` as the engine does, and keeps what it made. */
export interface StoredEngine {
  /**
   * A request that is refused leaves nothing behind: its table is looked up before the unit of its type and source is
   * found or made.
   *
   * @param request Any JSON.
   * @throws {StagecraftError} INVALID_REQUEST, INVALID_SOURCE, CONNECTION_FAILED or GENERATION_FAILED; FORBIDDEN for a
   * key that opens no project.
   */
  generate(request: unknown, options?: StoredRunOptions): Promise<EngineAnswer>
}

export function storedEngine(context: ServiceContext): StoredEngine {
  const { clock, ids, store } = context
  return {
    async generate(
      asked,
      { caller, requestId = ids.next('req'), signal = new AbortController().signal } = {},
    ) {
      if (!caller) throw new StagecraftError('FORBIDDEN', 'the key opens no project')
      const { projectId } = caller
      const begunAt = clock.now()
      const { columns, request } = checkRequest(asked)
      const settings = await projectSettings(store.db, projectId)
      const connectionId = await connectionOf(request, projectId, context)
      const found = await readTable(request, context, { projectId, columns, connectionId, settings, signal })
      found.table.check()
      signal.throwIfAborted()
      const decided = { ...settings, dialect: found.dialect }
      const begun = await beginRequest({ columns, projectId, request, settings: decided }, context)
      const work = (signal: AbortSignal): Promise<MadeAnswer> => makeGeneration(found, signal)
      const { meta, ...made } = await whileHeld(begun, { signal, work }, context)
      await completeRequest(begun, { ...made, durationMs: clock.now() - begunAt }, context)
      const timestamp = new Date(clock.now()).toISOString()
      return { data: made.data, meta: { requestId, timestamp, ...meta } }
    },
  }
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

/** A unit may have a connection of its own. */
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

interface Held {
  readonly signal: AbortSignal
  readonly work: (signal: AbortSignal) => Promise<MadeAnswer>
}

async function whileHeld(
  begun: BegunRequest,
  { signal, work }: Held,
  context: ServiceContext,
): Promise<MadeAnswer> {
  const held = holdRequest(context, { ...begun, signal })
  try {
    return await work(held.signal)
  } catch (error) {
    throw await failRequest(begun, { error, signal: held.signal }, context)
  } finally {
    held.release()
  }
}
