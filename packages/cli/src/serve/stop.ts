import type { createApp } from '@stagecraft/http'

/** How long requests in flight may take to finish. With what ends after it, the process is gone within ten seconds. */
const GRACE_MILLISECONDS = 8000

/** Resolves to what told the process to stop. A second Ctrl-C ends it at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal))
  return promise
}

/** Takes no new connections, lets requests in flight finish, and ends what is left after the time of grace. */
export async function stopGracefully(app: ReturnType<typeof createApp>): Promise<void> {
  const end = setTimeout(() => app.server.closeAllConnections(), GRACE_MILLISECONDS)
  // A backend or a driver that cannot let go must not hold the process.
  setTimeout(() => process.exit(0), GRACE_MILLISECONDS + 1500).unref()
  await app.close()
  clearTimeout(end)
}
