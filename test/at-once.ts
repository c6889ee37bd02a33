/**
 * How long something may take that has nothing to wait for: long enough for a slow and busy machine, and far less than
 * what a test gives it to wait for otherwise.
 */
export const AT_ONCE_MS = 20_000
