import { driverError, sqliteCode } from './driver-error.ts'

/** Serialization failure and deadlock. The server has rolled back. */
const CONFLICTS = ['40001', '40P01']
/** The server ended the connection: by hand, crash, or because it shuts down. */
const LOST = ['57P01', '57P02', 'ECONNRESET', 'EPIPE']
const SQLITE_BUSY = 5

/** Whether doing the same transaction again may succeed, since another one was only in its way. */
export function isConflict(error: unknown): boolean {
  const driver = driverError(error)
  return CONFLICTS.includes(driver.code ?? '') || sqliteCode(driver) === SQLITE_BUSY
}

/** Whether a connection broke that had been there. Whether a commit that was on its way arrived is then unknown. */
export function isLostConnection(error: unknown): boolean {
  const { code, message } = driverError(error)
  return (
    LOST.includes(code ?? '') || /^Connection terminated|connection error and is not queryable/.test(message)
  )
}
