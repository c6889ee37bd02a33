import type { Backend, BackendAnswer, BackendUsage } from '@stagecraft/spec'
import { fromStored, keyOf, type RecordedRequest, recordedRequest, toStored } from './exchange/exchange.ts'
import { play } from './exchange/play.ts'
import { readStored, removeStored, writeStored } from './exchange/store.ts'

export interface CachedOptions {
  /** The folder of the files, created if missing. They contain requests and answers, but no key. */
  readonly folder: string
  /** Asks again and keeps the new answer. @default false */
  readonly refresh?: boolean
}

const NOTHING_USED: BackendUsage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }

/**
 * Keeps complete answers (`stop: 'end'`) in files, so that the same request costs tokens once. The caller judges an
 * answer: `cache.settle(true)` keeps it and `settle(false)` drops it; the engine does this. An answer from a file
 * reports no tokens. An unreadable file counts as missing.
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
      if (!kept) return offer(await backend.complete(request), { folder, recorded })
      const settle = async (isUsable: boolean): Promise<void> => {
        if (!isUsable) await removeStored(folder, keyOf(recorded)).catch(() => {})
      }
      return play({ ...kept, usage: NOTHING_USED, cache: { isHit: true, settle } }, request)
    },
  }
}

async function find(folder: string, request: RecordedRequest): Promise<BackendAnswer | undefined> {
  const stored = await readStored(folder, keyOf(request)).catch(() => undefined)
  const answer = fromStored(stored, request)
  return answer?.stop === 'end' ? answer : undefined
}

interface Place {
  readonly folder: string
  readonly recorded: RecordedRequest
}

/** Returns a new answer, which is written when the caller settles it. */
function offer(answer: BackendAnswer, { folder, recorded }: Place): BackendAnswer {
  if (answer.stop !== 'end') return answer
  const settle = async (isUsable: boolean): Promise<void> => {
    // The answer is paid for: return it even if the disk is full.
    if (isUsable)
      await writeStored(folder, keyOf(recorded), toStored({ request: recorded, answer })).catch(() => {})
  }
  return { ...answer, cache: { isHit: false, settle } }
}
