import type { createApp } from '@stagecraft/http'
import { onSignal } from '../terminal/on-signal.ts'

/** The time that open requests have to finish. With the later steps, the process ends within ten seconds. */
const GRACE_MS = 7000

/** The time after which the process stops waiting. */
const LAST_MS = 9000

/** The time that remaining handles have to close, after everything important is closed. */
const REST_MS = 300

/** Resolves to the signal that stopped the process. A second Ctrl-C ends it at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  onSignal(['SIGINT', 'SIGTERM'], resolve)
  return promise
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
