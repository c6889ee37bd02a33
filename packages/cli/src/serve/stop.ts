import type { createApp } from '@stagecraft/http'
import { isUnderNpm, onSignal } from '../terminal/on-signal.ts'

/** The time that open requests have to finish. With the later steps, the process ends within ten seconds. */
const GRACE_MS = 7000

/** The time after which the process stops waiting. */
const LAST_MS = 9000

/** The time that remaining handles have to close, after everything important is closed. */
const REST_MS = 300

/** The time in which npm forwards a Ctrl-C, also on a busy machine. */
const FORWARD_MS = 2000

export interface StopSignal {
  /** The signal that stops the process. A second Ctrl-C ends it at once. */
  readonly signal: Promise<NodeJS.Signals>
  /** Resolves once no forwarded signal can meet the end of the process, where it would count as a failure. */
  readonly settled: Promise<void>
}

/** Waits for the signal that stops the process. */
export function stopSignal(): StopSignal {
  const { promise: signal, resolve } = Promise.withResolvers<NodeJS.Signals>()
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  onSignal(
    ['SIGINT', 'SIGTERM'],
    (first) => {
      resolve(first)
      // a Ctrl-C reaches the whole group, so npm forwards one that has arrived already
      if (first === 'SIGINT' && isUnderNpm()) timer = setTimeout(settle, FORWARD_MS)
      else settle()
    },
    () => {
      clearTimeout(timer)
      settle()
    },
  )
  return { signal, settled }
}

/**
 * Refuses new connections, lets open requests finish, and ends the rest after the grace period.
 *
 * @param others Work that stops at the same time.
 */
export async function stopGracefully(
  apps: readonly ReturnType<typeof createApp>[],
  others: readonly (() => Promise<void>)[] = [],
): Promise<void> {
  const end = setTimeout(() => {
    for (const app of apps) app.server.closeAllConnections()
  }, GRACE_MS)
  // A backend or driver that does not close must not hold the process.
  setTimeout(() => process.exit(0), LAST_MS).unref()
  await Promise.all([...apps.map((app) => app.close()), ...others.map((stop) => stop())])
  clearTimeout(end)
}

/** Ends the process after everything was closed, although a driver may still wait for a server. */
export function endSoon(): void {
  setTimeout(() => process.exit(0), REST_MS).unref()
}
