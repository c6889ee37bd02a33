import { driverError } from './driver-error.ts'

/**
 * Serialization failure, deadlock, a row that went away while another one was made that refers to it, and a schema of somebody else that went away while the catalog was read. The server has
 * rolled back.
 */
const CONFLICTS = new Set(['40001', '40P01', '23503', '3F000'])
/** The server ended the connection: by hand, crash, or because it shuts down. */
const LOST = new Set(['57P01', '57P02', 'ECONNRESET', 'EPIPE'])

/**
 * Returns true if repeating the transaction may succeed, since it only conflicted with another one. SQLite
 * waits by itself.
 */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(driverError(error).code ?? '')
}

/** Returns true if an established connection broke. It is then unknown if a commit under way arrived. */
export function isLostConnection(error: unknown): boolean {
  const { code, message } = driverError(error)
  return LOST.has(code ?? '') || /^Connection terminated|connection error and is not queryable/.test(message)
}
