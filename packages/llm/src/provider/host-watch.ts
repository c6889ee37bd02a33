import { setTimeout as sleep } from 'node:timers/promises'
import { withDeadline } from './deadline.ts'
import type { Connection } from './options.ts'

/** A host that answers neither a call nor the probes beside it. */
export class HostSilent extends Error {
  readonly host: string

  constructor(host: string) {
    super('no answer')
    this.host = host
  }
}

/** Tells a host that is dead from one that takes its time. One for all calls of a backend. */
export interface HostWatch {
  /** Notes that something came from the host. */
  readonly heard: () => void
  /** Watches over one call, until its signal ends that. */
  readonly untilSilent: (call: WatchedCall) => Promise<never>
}

interface WatchedCall {
  /** Returns true if the host has to speak next and no pause is running. */
  readonly isWaiting: () => boolean
  readonly signal: AbortSignal
}

/** The number of consecutive probes that must fail. */
const PROBES = 2

/** Between two probes, so that a host which is just starting again gets another chance. */
const LONGEST_PAUSE_MS = 1000

/** The longest that a timer of Node waits; it fires at once for anything above. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Watches a host. After `probeAfterMs` without a sign of it, it is sent a GET for `/` without key, prompt or redirects. Any
 * HTTP answer counts as a sign; a failed connection does not, nor silence for `probeTimeoutMs`.
 */
export function watchHost(connection: Connection): HostWatch {
  const { baseUrl, probeAfterMs, probeTimeoutMs } = connection
  const { host } = new URL(baseUrl)
  let heardAt = -Infinity
  const heard = (): void => {
    heardAt = performance.now()
  }

  /** Resolves to true if anything arrived, from the probes or for another call. */
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
    response.body?.cancel().catch(() => {}) // nothing in it is of use
    return true
  }
  const isAnswered = await withDeadline(ask, { timeoutMs: probeTimeoutMs, signal }).catch(() => false)
  signal.throwIfAborted()
  return isAnswered
}
