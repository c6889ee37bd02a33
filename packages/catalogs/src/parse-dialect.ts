import { DIALECT_NAMES, type DialectName, StagecraftError } from '@stagecraft/spec'

const EXPECTED = `one of ${DIALECT_NAMES.join(', ')}`

/**
 * Returns the dialect of that name, in any case.
 *
 * @param origin The place of the name, for messages: `schema.sql`.
 * @throws {StagecraftError} INVALID_REQUEST that lists the dialects.
 */
export function parseDialect(text: string, origin: string): DialectName {
  const found = DIALECT_NAMES.find((name) => name === text.toLowerCase())
  if (found) return found
  throw new StagecraftError('INVALID_REQUEST', `${origin}: expected a dialect, ${EXPECTED}, got "${text}"`, {
    details: { faults: [{ path: 'dialect', expected: EXPECTED, received: `"${text}"` }] },
  })
}
