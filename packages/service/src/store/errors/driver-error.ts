/**
 * The errors of the drivers: pg has SQLSTATE or a network error as `code`, node:sqlite a number as `errcode`.
 */
export interface DriverError {
  readonly code: string | undefined
  /** The extended result code of SQLite; its lowest byte is the primary one. */
  readonly errcode: number | undefined
  readonly message: string
}

/** Returns the error of a driver, or the driver's error inside one of ours. */
export function driverError(error: unknown): DriverError {
  const thrown = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { code, errcode, message } = Object(thrown) as Readonly<Record<string, unknown>>
  return {
    code: typeof code === 'string' ? code : undefined,
    errcode: typeof errcode === 'number' ? errcode : undefined,
    message: typeof message === 'string' ? message : '',
  }
}

/** Returns the SQLite result code without its extension, for an error of node:sqlite. */
export function sqliteCode({ errcode }: DriverError): number | undefined {
  return errcode === undefined ? undefined : errcode & 0xff
}

const FOREIGN_KEY_VIOLATION = '23503'
/** SQLITE_CONSTRAINT_FOREIGNKEY. */
const SQLITE_FOREIGN_KEY = 787

/**
 * Serialization failure, deadlock, a reference to a row that was just deleted, and a foreign schema that was dropped
 * while the catalog was read. The server has rolled back.
 */
const CONFLICTS = new Set(['40001', '40P01', FOREIGN_KEY_VIOLATION, '3F000'])
/** The server ended the connection: manually, by a crash, or at shutdown. */
const LOST = new Set(['57P01', '57P02', 'ECONNRESET', 'EPIPE'])

/**
 * Returns true if repeating the transaction may succeed, since it only conflicted with another one. SQLite
 * waits on its own.
 */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(driverError(error).code ?? '')
}

/** Returns true if an established connection broke. The outcome of a running commit is then unknown. */
export function isLostConnection(error: unknown): boolean {
  const { code, message } = driverError(error)
  return LOST.has(code ?? '') || /^Connection terminated|connection error and is not queryable/.test(message)
}

/** Returns true if a statement failed because a row that it refers to does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { code, errcode } = driverError(error)
  return code === FOREIGN_KEY_VIOLATION || errcode === SQLITE_FOREIGN_KEY
}

const UNIQUE_VIOLATION = '23505'
/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE. */
const SQLITE_UNIQUE = new Set([1555, 2067])

/**
 * Returns true if a statement failed because another row has the same key. On PostgreSQL its transaction is
 * then over.
 */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = driverError(error)
  return code === UNIQUE_VIOLATION || (errcode !== undefined && SQLITE_UNIQUE.has(errcode))
}
