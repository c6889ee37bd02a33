import { StagecraftError } from '@stagecraft/spec'
import type { ServiceLogger } from '../context.ts'

/** Failures of the store in a row: how long to wait after each, and how seldom to tell of them. */
export interface Outage {
  /** Notes a failure; returns how long to wait. */
  failed(error: unknown): number
  /** Notes that all is well. */
  ended(): void
}

const SHORTEST_MS = 100
const LONGEST_MS = 2000
const TOLD_EVERY_MS = 1000

export function createOutage(logger: ServiceLogger, what: string): Outage {
  let failures = 0
  let toldAt = Number.NEGATIVE_INFINITY
  return {
    failed(error) {
      failures += 1
      const now = performance.now()
      if (now - toldAt >= TOLD_EVERY_MS) {
        toldAt = now
        const reason = error instanceof Error ? error.message : String(error)
        if (isOutage(error)) logger.warn({ failures, error: reason }, `the store does not answer: ${what}`)
        else logger.error({ failures, error: reason }, what)
      }
      return Math.min(LONGEST_MS, SHORTEST_MS * 2 ** Math.min(failures - 1, 10))
    },
    ended() {
      failures = 0
    },
  }
}

/** Returns true if an error concerns the store as a whole, and not one query. */
export function isOutage(error: unknown): boolean {
  return error instanceof StagecraftError && error.code === 'CONNECTION_FAILED'
}
