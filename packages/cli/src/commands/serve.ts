import { createApp, memoryRateLimiter } from '@stagecraft/http'
import { StagecraftError } from '@stagecraft/spec'
import { createLogger, type LogLevel } from '../serve/create-logger.ts'
import { listen } from '../serve/listen.ts'
import { serviceKeys } from '../serve/service-keys.ts'
import { stopGracefully, stopSignal } from '../serve/stop.ts'
import { type EngineFlags, openEngine } from './open-engine.ts'
import { type Opened, withCatalog } from './shared-flags.ts'

export interface ServeFlags extends EngineFlags {
  readonly port: string
  readonly host: string
  readonly rateLimit: string
  readonly deadline: string
  readonly logLevel: LogLevel
}

/** `stagecraft serve`: answers `POST /generate` until it is told to stop. */
export async function serveCommand(flags: ServeFlags): Promise<void> {
  const port = wholeNumber(flags.port, { flag: '--port', least: 0, most: 65_535 })
  const requests = wholeNumber(flags.rateLimit, { flag: '--rate-limit', least: 0, most: 1_000_000 })
  const seconds = wholeNumber(flags.deadline, { flag: '--deadline', least: 1, most: 86_400 })
  const { created, keys, warnings } = serviceKeys(process.env['STAGECRAFT_API_KEYS'])
  const limits = {
    deadlineMilliseconds: seconds * 1000,
    ...(requests > 0 && { rate: memoryRateLimiter({ requests, seconds: 60 }) }),
  }
  const serve = async (opened: Opened): Promise<void> => {
    const logger = createLogger(flags.logLevel)
    const engine = await openEngine(flags, opened, { folder: '.' })
    const app = createApp({ engine, keys, limits, logger })
    const stop = stopSignal()
    const address = await listen(app, { host: flags.host, port })
    for (const warning of warnings) logger.warn(warning)
    printAddresses(address, created)
    logger.info(`stopping after ${await stop}`)
    await stopGracefully(app)
  }
  await withCatalog(flags, serve, { interruptible: false })
}

/** Programs may read where it listens; the key is for the person who looks. */
function printAddresses(address: string, createdKey: string | undefined): void {
  if (createdKey !== undefined) {
    process.stderr.write(
      `API key, shown once and gone with this process (set STAGECRAFT_API_KEYS to choose keys): ${createdKey}\n`,
    )
  }
  process.stdout.write(`POST ${address}/generate\nAPI docs ${address}/docs\n`)
}

interface Range {
  readonly flag: string
  readonly least: number
  readonly most: number
}

function wholeNumber(text: string, { flag, least, most }: Range): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number <= most) return number
  const expected = `a whole number from ${least} to ${most}`
  throw new StagecraftError('INVALID_REQUEST', `${flag}: expected ${expected}, got "${text}"`, {
    details: { faults: [{ path: flag.slice(2), expected, received: JSON.stringify(text) }] },
  })
}
