import { StagecraftError } from '@stagecraft/spec'
import { type DriverError, driverError, sqliteCode } from './driver-error.ts'

/** Fixed words, because the messages of drivers contain addresses, users and paths. */
const SQLITE_REASONS: Readonly<Record<number, string>> = {
  3: 'access to its file is denied',
  5: 'another process has kept it locked',
  6: 'it is locked',
  8: 'its file is not writable',
  10: 'reading or writing its file failed',
  11: 'its file is damaged; restore a backup',
  13: 'the disk is full',
  14: 'its file cannot be opened',
  26: 'its file is not an SQLite database',
}

/** By SQLSTATE, or by the name of an error of the operating system. */
const REASONS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^28/, 'the server rejects the user or the password'],
  [/^3D000$/, 'the server has no such database'],
  [/^53300$/, 'the server has no connection left'],
  [/^53[12]00$/, 'the server is out of disk or memory'],
  [/^(?:57P0[1-3]|08...)$/, 'the server ended the connection'],
  [/^(?:55P03|57014|25P0[34])$/, 'a statement took longer than its limit'],
  [/^(?:40001|40P01)$/, 'other transactions kept conflicting'],
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'the name of its host is unknown'],
  [/^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, 'its host does not respond'],
  [/^(?:ECONNRESET|EPIPE)$/, 'the connection broke'],
  [/^(?:EACCES|EPERM|EROFS)$/, 'its file or folder is not writable'],
  [/^(?:EEXIST|ENOTDIR|EISDIR|ENOENT)$/, 'its file or folder can be neither found nor created'],
  [/^(?:ENOSPC|EDQUOT)$/, 'the disk is full'],
  [/^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_)/, 'its certificate is not trusted'],
]

/** Errors of pg itself have no code. */
const MESSAGE_REASONS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^timeout exceeded when trying to connect/, 'no connection became free or ready in time'],
  [/^(?:Connection terminated|Client has encountered)/, 'the connection broke'],
  [/^Query read timeout/, 'the server does not respond'],
  [/^The server does not support SSL/, 'the server does not speak TLS'],
]

/**
 * Returns CONNECTION_FAILED with its reason for an error about the store. Errors about the statement are returned
 * unchanged.
 */
export function storeFailure(error: unknown): unknown {
  if (error instanceof StagecraftError) return error
  const reason = reasonOf(driverError(error))
  return reason === undefined ? error : connectionFailed(reason, error)
}

export function connectionFailed(reason: string, cause?: unknown): StagecraftError {
  return new StagecraftError(
    'CONNECTION_FAILED',
    `expected a store that can be read and written, but ${reason}`,
    { cause, details: { reason: `the store: ${reason}`, part: PART } },
  )
}

const PART = 'store'

/** Returns true if an error concerns the store, so that the same query may succeed a moment later. */
export function isStoreFailure(error: unknown): boolean {
  return error instanceof StagecraftError && error.details?.['part'] === PART
}

function reasonOf(error: DriverError): string | undefined {
  const sqlite = sqliteCode(error)
  if (sqlite !== undefined) return SQLITE_REASONS[sqlite]
  return matching(REASONS, error.code ?? '') ?? matching(MESSAGE_REASONS, error.message)
}

function matching(
  reasons: readonly (readonly [pattern: RegExp, reason: string])[],
  text: string,
): string | undefined {
  return reasons.find(([pattern]) => pattern.test(text))?.[1]
}
