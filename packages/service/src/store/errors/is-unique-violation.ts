import { driverError } from './driver-error.ts'

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
