import { StagecraftError } from '@stagecraft/spec'
import type { LogLevel } from './create-logger.ts'
import type { EngineFlags } from '../commands/open-engine.ts'

export interface ServeFlags extends EngineFlags {
  readonly port: string
  readonly apiPort?: string
  readonly host: string
  readonly data?: string
  readonly role?: 'api' | 'worker' | 'all'
  readonly rateLimit: string
  readonly deadline: string
  readonly dashboard: boolean
  readonly logLevel: LogLevel
}

/** The parsed port. */
export interface ServeSettings {
  readonly host: string
  readonly port: number
  readonly apiPort: number | undefined
  /** The limit per minute and key; 0 for no limit. */
  readonly requests: number
  readonly deadlineMs: number
}

/** @throws {StagecraftError} INVALID_REQUEST for an invalid number, and for flags of a store with `--catalog`. */
export function readServeFlags(flags: ServeFlags): ServeSettings {
  const { apiPort, deadline, host, port, rateLimit } = flags
  if (flags.catalog !== undefined) assertNoStoreFlags(flags)
  const seconds = wholeNumber(deadline, { flag: '--deadline', least: 1, most: 86_400 })
  return {
    host,
    port: wholeNumber(port, { flag: '--port', least: 0, most: 65_535 }),
    apiPort:
      apiPort === undefined
        ? undefined
        : wholeNumber(apiPort, { flag: '--api-port', least: 0, most: 65_535 }),
    requests: wholeNumber(rateLimit, { flag: '--rate-limit', least: 0, most: 1_000_000 }),
    deadlineMs: seconds * 1000,
  }
}

function assertNoStoreFlags({ apiPort, data, role }: ServeFlags): void {
  const given = Object.entries({ '--data': data, '--api-port': apiPort, '--role': role }).filter(
    ([, value]) => value !== undefined,
  )
  if (given.length === 0) return
  const names = given.map(([name]) => name)
  const expected = 'not with --catalog, which serves one catalog without a store'
  throw new StagecraftError('INVALID_REQUEST', `${names.join(', ')}: ${expected}`, {
    details: { faults: names.map((path) => ({ path, expected, received: 'both' })) },
  })
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
  throw StagecraftError.invalid({ path: flag, expected, received: JSON.stringify(text) })
}
