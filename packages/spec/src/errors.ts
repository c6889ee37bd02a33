/** The eight error codes of the service contract. Every failure that leaves Stagecraft has one. */
export const ERROR_CODES = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'RATE_LIMITED',
  'INVALID_REQUEST',
  'INVALID_SOURCE',
  'GENERATION_FAILED',
  'CONNECTION_FAILED',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

/** One thing that is wrong with what the caller sent. */
export interface Fault {
  /** The place of the fault, as a dotted path: `options.casts`, `tables.0.name`; empty for the whole. */
  readonly path: string
  /** The values that are valid: `"none", "safe" or "full"`. */
  readonly expected: string
  /** The value that was found: `"always"`. */
  readonly received: string
  /** The 1-based line, when the input was a text with lines. */
  readonly line?: number
}

/** Data for programs that an error carries besides its message for people. Never a secret. */
export interface ErrorDetails {
  /** All faults of the input at once; present with INVALID_REQUEST. */
  readonly faults?: readonly Fault[]
  /**
   * A hint for the next attempt: near names for INVALID_SOURCE, the package to install for a missing driver.
   */
  readonly suggestion?: string
  readonly [key: string]: unknown
}

export interface StagecraftErrorOptions {
  readonly cause?: unknown
  readonly details?: ErrorDetails
}

/**
 * The one error class of Stagecraft. `code` is stable and decides HTTP status and exit code; the
 * message says what was expected, what was got and what to do.
 */
export class StagecraftError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails | undefined

  constructor(code: ErrorCode, message: string, options: StagecraftErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StagecraftError'
    this.code = code
    this.details = options.details
  }
}
