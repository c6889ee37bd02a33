import { type Clock, systemClock } from '@stagecraft/spec'
import type { IdempotencyStart, IdempotencyStore, StoredAnswer } from '../ports/idempotency.ts'

export interface MemoryIdempotencyOptions {
  /** Default: the machine's clock. */
  readonly clock?: Clock
  /**
   * The number of seconds for which a response is kept.
   *
   * @default 86_400
   */
  readonly seconds?: number
  /**
   * The maximum number of characters to keep. Beyond it, the oldest responses are dropped early.
   *
   * @default 33_554_432
   */
  readonly characters?: number
}

interface Entry {
  readonly bodyHash: string
  readonly until: number
  readonly answer: StoredAnswer | undefined
}

/** The size of an entry besides its response. */
const OVERHEAD = 1000

/** Creates a store of responses in the memory of this process, for an app without a store and for tests. */
export function memoryIdempotency({
  characters = 33_554_432,
  clock = systemClock,
  seconds = 86_400,
}: MemoryIdempotencyOptions = {}): IdempotencyStore {
  // A map keeps insertion order, so the oldest entry is first.
  const entries = new Map<string, Entry>()
  let size = 0
  const remove = (name: string): void => {
    const entry = entries.get(name)
    if (!entry) return
    entries.delete(name)
    size -= sizeOf(entry)
  }
  const set = (name: string, entry: Entry): void => {
    remove(name)
    entries.set(name, entry)
    size += sizeOf(entry)
    for (const [oldest, { answer }] of entries) {
      if (size <= characters) return
      // Requests in progress stay: connections limit their number, and a forgotten one could run twice.
      if (answer) remove(oldest)
    }
  }
  return {
    begin({ bodyHash, holderId, key, route }) {
      const name = JSON.stringify([holderId, route, key])
      const entry = entries.get(name)
      const isOver = entry?.answer !== undefined && entry.until <= clock.now()
      if (entry && !isOver) return Promise.resolve(startOf(entry, bodyHash))
      set(name, { bodyHash, until: clock.now() + seconds * 1000, answer: undefined })
      return Promise.resolve({ state: 'fresh', token: name })
    },
    finish(token, answer) {
      const entry = entries.get(token)
      if (entry) set(token, { ...entry, answer })
      return Promise.resolve()
    },
    abandon(token) {
      remove(token)
      return Promise.resolve()
    },
  }
}

function startOf(entry: Entry, bodyHash: string): IdempotencyStart {
  if (entry.bodyHash !== bodyHash) return { state: 'other-body' }
  return entry.answer ? { state: 'replay', answer: entry.answer } : { state: 'in-flight' }
}

function sizeOf({ answer }: Entry): number {
  return OVERHEAD + (answer?.body.length ?? 0)
}
