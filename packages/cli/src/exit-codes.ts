import type { ErrorCode } from '@stagecraft/spec'

/** The exit code for each error code; a code without a row does not compile. */
export const EXIT_CODES = {
  INVALID_REQUEST: 2,
  INVALID_SOURCE: 3,
  CONNECTION_FAILED: 4,
  GENERATION_FAILED: 5,
  UNAUTHORIZED: 6,
  FORBIDDEN: 7,
  NOT_FOUND: 8,
  RATE_LIMITED: 9,
} as const satisfies Readonly<Record<ErrorCode, number>>

/** A difference: `check` found one, `plan --exit-code` would make one, or golden cases do not match. */
export const EXIT_DIFFERENCE = 1

/** An internal error of Stagecraft. */
export const EXIT_BUG = 70

/** Ctrl-C. */
export const EXIT_INTERRUPTED = 130
