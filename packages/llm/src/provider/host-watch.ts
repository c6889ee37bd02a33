import { setTimeout as sleep } from 'node:timers/promises'
import { withDeadline } from './deadline.ts'
import type { Connection } from './options.ts'

/** The error of a host that answers neither a call nor probes. */
export class HostSilent extends Error {
  readonly host: string

  constructor(host: string) {
    super('no answer')
    this.host = host
  }
}

/** Distinguishes a dead host from a slow one. All calls of a backend share it. */
export interface HostWatch {
  /** Records a sign of life from the host. */
  readonly heard: () => void
  /** Watches one call until its signal aborts. */
  readonly untilSilent: (call: WatchedCall) => Promise<never>
}

interface WatchedCall {
  /** Returns true if the host's answer is awaited and no pause is running. */
  readonly isWaiting: () => boolean
  readonly signal: AbortSignal
}

/** The number of consecutive failed probes after which a host is dead. */
const PROBES = 2

/** The pause between two probes, which gives a restarting host another chance. */
const LONGEST_PAUSE_MS = 1000

/** The longest timer of Node; longer ones fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Watches a host. After `probeAfterMs` of silence, it sends the host `GET /` without key, prompt or redirects. Any
 * HTTP answer is a sign of life; a failed connection and silence for `probeTimeoutMs` are not.
 */
export function watchHost(connection: Connection): HostWatch {
  const { baseUrl, probeAfterMs, probeTimeoutMs } = connection
  const { host } = new URL(baseUrl)
  let heardAt = -Infinity
  const heard = (): void => {
    heardAt = performance.now()
  }

  /** Resolves to true if anything arrived, for a probe or for another call. */
  const isAlive = async (signal: AbortSignal): Promise<boolean> => {
    const begun = performance.now()
    for (let probes = 1; probes <= PROBES; probes += 1) {
      if (await probe(connection, signal)) heard()
      if (heardAt >= begun) return true
      if (probes < PROBES) await sleep(Math.min(LONGEST_PAUSE_MS, probeTimeoutMs), undefined, { signal })
    }
    return heardAt >= begun
  }

  return {
    heard,
    untilSilent: async ({ isWaiting, signal }) => {
      let waitingSince = performance.now()
      for (;;) {
        const patience = Math.max(waitingSince, heardAt) + probeAfterMs - performance.now()
        if (patience > 0) await sleep(Math.min(patience, LONGEST_TIMER_MS), undefined, { signal })
        else if (!isWaiting()) waitingSince = performance.now()
        else if (!(await isAlive(signal))) throw new HostSilent(host)
      }
    },
  }
}

async function probe({ baseUrl, fetch, probeTimeoutMs }: Connection, signal: AbortSignal): Promise<boolean> {
  const ask = async (stop: AbortSignal): Promise<boolean> => {
    const headers = { accept: '*/*', 'user-agent': 'stagecraft' }
    const response = await fetch(new URL('/', baseUrl), {
      method: 'GET',
      headers,
      redirect: 'manual',
      signal: stop,
    })
    response.body?.cancel().catch(() => {}) // the body is not used
    return true
  }
  const isAnswered = await withDeadline(ask, { timeoutMs: probeTimeoutMs, signal }).catch(() => false)
  signal.throwIfAborted()
  return isAnswered
}
