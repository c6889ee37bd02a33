import { createApp, memoryRateLimiter } from '@stagecraft/http'
import { openEngine } from '../commands/open-engine.ts'
import type { ServeFlags, ServeSettings } from './serve-flags.ts'
import { type Opened, withCatalog } from '../commands/shared-flags.ts'
import { openProject } from '../project/open-project.ts'
import { createLogger } from './create-logger.ts'
import { listen } from './listen.ts'
import { serviceKeys } from './service-keys.ts'
import { stopGracefully, stopSignal } from './stop.ts'
import { allowHeapGrowth } from './heap-limits.ts'

/** Serves `POST /generate` for one catalog, without a store, until stopped. */
export async function serveCatalog(
  flags: ServeFlags,
  { deadlineMs, host, port, requests }: ServeSettings,
): Promise<void> {
  const { created, keys } = serviceKeys(process.env['STAGECRAFT_API_KEYS'])
  const limits = {
    deadlineMs,
    ...(requests > 0 && { rate: memoryRateLimiter({ requests, seconds: 60 }) }),
  }
  const serve = async (opened: Opened): Promise<void> => {
    const logger = createLogger(flags.logLevel)
    const engine = await openEngine(flags, opened, {
      project: await openProject('.', flags),
      defaults: {},
    })
    const app = createApp({ engine, keys, limits, logger })
    const stop = stopSignal()
    const address = await listen(app, { host, port })
    allowHeapGrowth()
    for (const { code, message } of opened.catalog.warnings ?? []) logger.warn({ code }, message)
    printAddresses(address, created)
    logger.info(`stopping after ${await stop.signal}`)
    await stopGracefully([app])
    await stop.settled
  }
  await withCatalog(flags, serve, { interruptible: false })
}

/** Prints to standard output, apart from the logs: the key is for the operator and must not be stored with the logs. */
function printAddresses(address: string, createdKey: string | undefined): void {
  if (createdKey !== undefined) {
    process.stdout.write(
      `API key, shown once and valid for this process (set STAGECRAFT_API_KEYS to choose keys): ${createdKey}\n`,
    )
  }
  process.stdout.write(`POST ${address}/generate\nAPI docs ${address}/docs\n`)
}
