import type { createApp } from '@stagecraft/http'
import { onSignal } from '../terminal/on-signal.ts'

/**
 * The time that requests in flight have to finish. Together with the steps after it, the process ends within
 * ten seconds.
 */
const GRACE_MS = 7000

/** The time after which nothing more is waited for. */
const LAST_MS = 9000

/** The time that remaining handles have to close, once everything that matters is closed. */
const REST_MS = 300

/** Resolves to what told the process to stop. A second Ctrl-C ends it at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  onSignal(['SIGINT', 'SIGTERM'], resolve)
  return promise
}

/**
 * Takes no new connections, lets requests in flight finish, and ends the remaining ones after the grace period.
 *
 * @param others What stops at the same time: the work behind requests.
 */
export async function stopGracefully(
  apps: readonly ReturnType<typeof createApp>[],
  others: readonly (() => Promise<void>)[] = [],
): Promise<void> {
  const end = setTimeout(() => {
    for (const app of apps) app.server.closeAllConnections()
  }, GRACE_MS)
  // A backend or a driver that cannot let go must not hold the process.
  setTimeout(() => process.exit(0), LAST_MS).unref()
  await Promise.all([...apps.map((app) => app.close()), ...others.map((stop) => stop())])
  clearTimeout(end)
}

/** Ends the process after all was closed, though a driver may still wait for a server that does not answer. */
export function endSoon(): void {
  setTimeout(() => process.exit(0), REST_MS).unref()
}
