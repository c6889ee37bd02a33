import type { Backend, BackendAnswer, BackendRequest, BackendUsage } from '@stagecraft/spec'
import { fromStored, keyOf, type RecordedRequest, recordedRequest, toStored } from './exchange/exchange.ts'
import { play } from './exchange/play.ts'
import { readStored, writeStored } from './exchange/store.ts'

export interface CachedOptions {
  /** Made when it is not there. Its files hold what was sent and what was answered, and no key. */
  readonly folder: string
  /** Asks anew and keeps the new answer. @default false */
  readonly refresh?: boolean
}

const NOTHING_USED: BackendUsage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }

/**
 * Keeps whole answers (`stop: 'end'`) in files, so that the same request costs tokens once. An answer from a file
 * says that it used none. A file that cannot be read counts as none; an answer that cannot be kept is still given.
 *
 * @example
 * const backend = cached(anthropic({ apiKey }), { folder: '.stagecraft/llm' })
 */
export function cached(backend: Backend, options: CachedOptions): Backend {
  const { folder, refresh = false } = options
  return {
    id: backend.id,
    complete: async (request) => {
      request.signal?.throwIfAborted()
      const recorded = recordedRequest(backend.id, request)
      const kept = refresh ? undefined : await find(folder, recorded)
      if (kept !== undefined) return play({ ...kept, usage: NOTHING_USED }, request)
      return await askAndKeep(backend, request, { folder, recorded })
    },
  }
}

async function find(folder: string, request: RecordedRequest): Promise<BackendAnswer | undefined> {
  const stored = await readStored(folder, keyOf(request)).catch(() => undefined)
  const answer = fromStored(stored, request)
  return answer?.stop === 'end' ? answer : undefined
}

async function askAndKeep(
  backend: Backend,
  request: BackendRequest,
  { folder, recorded }: { readonly folder: string; readonly recorded: RecordedRequest },
): Promise<BackendAnswer> {
  const answer = await backend.complete(request)
  if (answer.stop === 'end') {
    // The answer is paid for: a full disk must not lose it.
    await writeStored(folder, keyOf(recorded), toStored({ request: recorded, answer })).catch(() => {})
  }
  return answer
}
