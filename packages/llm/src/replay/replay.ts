import { type Backend, type BackendAnswer, StagecraftError } from '@stagecraft/spec'
import { fromStored, keyOf, type RecordedRequest, recordedRequest, toStored } from '../exchange/exchange.ts'
import { play } from '../exchange/play.ts'
import { exchangePath, readStored, writeStored } from '../exchange/store.ts'
import type { CassetteMode } from './modes.ts'

export interface ReplayOptions {
  /** The folder of the recordings, one file for each exchange. Commit it. */
  readonly folder: string
  /** @default 'replay' */
  readonly mode?: CassetteMode
  /** The backend or `fetch` to call in the modes `record` and `live`. */
  readonly backend?: Backend
  /** The id of the recorded backend, to play without it: `openai:gpt-6-luna`. @default that of `backend` */
  readonly id?: string
}

/**
 * Creates a backend that plays recorded answers without an SDK, a key or the network. A request that differs in
 * anything that determines the answer is a miss. Refusals and truncated answers are recorded too; errors are not.
 *
 * @example
 * const backend = replay({ folder: 'test/cassettes', id: 'anthropic:claude-haiku-5-5' })
 *
 * @throws {StagecraftError} INVALID_REQUEST without `backend`, if `mode` or a missing `id` requires it. `complete()`
 * throws GENERATION_FAILED if a recording is missing or unreadable.
 */
export function replay(options: ReplayOptions): Backend {
  const { folder, mode = 'replay', backend } = options
  const id = options.id ?? backend?.id
  if (id === undefined) throw invalid('replay() needs the backend that was recorded: set "id" or "backend"')
  if (mode === 'replay') {
    return {
      id,
      complete: async (request) => play(await find(folder, recordedRequest(id, request)), request),
    }
  }
  if (backend === undefined) throw invalid(`replay() in mode "${mode}" needs a backend to ask: set "backend"`)
  if (mode === 'live') return { id, complete: async (request) => await backend.complete(request) }
  return {
    id,
    complete: async (request) => {
      const answer = await backend.complete(request)
      const recorded = recordedRequest(id, request)
      await writeStored(folder, keyOf(recorded), toStored({ request: recorded, answer }))
      return answer
    },
  }
}

async function find(folder: string, request: RecordedRequest): Promise<BackendAnswer> {
  const key = keyOf(request)
  const path = exchangePath(folder, key)
  const stored = await readStored(folder, key).catch((cause: unknown) => {
    throw unusable(path, cause)
  })
  if (stored === undefined) throw missing(key, folder)
  const answer = fromStored(stored, request)
  if (answer === undefined) throw unusable(path)
  return answer
}

function missing(key: string, folder: string): StagecraftError {
  const suggestion = 'record it with mode "record" (STAGECRAFT_LLM_MODE=record)'
  return new StagecraftError(
    'GENERATION_FAILED',
    `no recording ${key} in ${folder}: the request is new or has changed; ${suggestion}`,
    { details: { key, folder, suggestion } },
  )
}

function unusable(path: string, cause?: unknown): StagecraftError {
  const suggestion = 'delete it and record it again'
  return new StagecraftError(
    'GENERATION_FAILED',
    `the recording ${path} is not an exchange of this request; ${suggestion}`,
    { cause, details: { path, suggestion } },
  )
}

function invalid(message: string): StagecraftError {
  return new StagecraftError('INVALID_REQUEST', message)
}
