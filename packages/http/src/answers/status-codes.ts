import type { ErrorCode } from '@stagecraft/spec'

/** The HTTP status of each error code; a code without a row does not compile. */
export const STATUS_CODES = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  RATE_LIMITED: 429,
  INVALID_REQUEST: 400,
  INVALID_SOURCE: 400,
  GENERATION_FAILED: 500,
  CONNECTION_FAILED: 502,
} as const satisfies Record<ErrorCode, number>
