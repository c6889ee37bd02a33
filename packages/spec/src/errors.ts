/** The eight error codes of the service contract. Every error that leaves Stagecraft has one. */
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

/** One fault in the caller's input. */
export interface Fault {
  /** The place of the fault, as a dotted path: `options.casts`, `tables.0.name`; empty for the whole input. */
  readonly path: string
  /** The values that are valid: `"none", "safe" or "full"`. */
  readonly expected: string
  /** The value that was found: `"always"`. */
  readonly received: string
  /** The 1-based line, if the input was a text with lines. */
  readonly line?: number
}

/** Error data for programs, besides the message for people. Never a secret. */
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
  /** The error that caused this one. */
  readonly cause?: unknown
  /** Data for programs: faults, suggestion, reason. */
  readonly details?: ErrorDetails
}

export interface InvalidOptions {
  /** The name of the whole input: `the request`. The message starts with it, and uses it in place of an empty path. */
  readonly subject?: string | undefined
  /** The remedy, at the end of the message and in the details. */
  readonly suggestion?: string | undefined
  /** The error that caused this one. */
  readonly cause?: unknown
  /** Further data for programs, besides faults and suggestion. */
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * The only error class of Stagecraft. `code` is stable and determines HTTP status and exit code. The message says what
 * was expected, what was received and what to do.
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

  /** Creates the INVALID_REQUEST for invalid input. Its message lists every fault. */
  static invalid(faults: Fault | readonly Fault[], options: InvalidOptions = {}): StagecraftError {
    const { cause, details, subject, suggestion } = options
    const all = Array.isArray(faults) ? (faults as readonly Fault[]) : [faults as Fault]
    const hint = suggestion === undefined ? '' : `; ${suggestion}`
    return new StagecraftError('INVALID_REQUEST', `${describeFaults(all, subject)}${hint}`, {
      cause,
      details: { ...details, faults: all, ...(suggestion !== undefined && { suggestion }) },
    })
  }

  /**
   * Creates the NOT_FOUND for an id that does not exist or belongs to another project. Both have the same message.
   *
   * @param path The place of the id in the request. Default: the name of such ids, `unitId`.
   */
  static unknownId(resource: string, id: string, path = `${resource}Id`): StagecraftError {
    const shown = id.slice(0, 100).replace(/\p{Cc}/gu, '')
    return new StagecraftError('NOT_FOUND', `there is no ${resource} ${shown}`, {
      details: { faults: [{ path, expected: 'an id of this project', received: JSON.stringify(shown) }] },
    })
  }
}

function describeFaults(faults: readonly Fault[], subject: string | undefined): string {
  const lines = faults.map(({ expected, line, path, received }) => {
    const place = [line === undefined ? '' : `line ${line}`, path].filter(Boolean).join(', ')
    return `${place === '' ? (subject === undefined ? '' : `${subject}: `) : `${place}: `}expected ${expected}, got ${received}`
  })
  if (subject === undefined || faults.every(({ line, path }) => path === '' && line === undefined))
    return lines.join('; ')
  return faults.length === 1
    ? `${subject} is not valid: ${lines.join('')}`
    : `${subject} has ${faults.length} faults:\n  ${lines.join('\n  ')}`
}
