import { StagecraftError } from '@stagecraft/spec'
import { headerFaults } from './header-faults.ts'

/**
 * Returns the headers of a delivery.
 *
 * @throws {StagecraftError} INVALID_REQUEST with all headers that cannot be sent.
 */
export function requestHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const faults = headerFaults(given)
  if (faults.length > 0) {
    const parts = faults.map(
      ({ path, expected, received }) => `${path}: expected ${expected}, got ${received}`,
    )
    throw new StagecraftError('INVALID_REQUEST', parts.join('; '), { details: { faults } })
  }
  const lowerCase = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    'content-type': 'application/json',
    'user-agent': 'stagecraft-webhooks',
    ...Object.fromEntries(lowerCase),
    // Answers are not decompressed, so a small one cannot become a large one.
    'accept-encoding': 'identity',
  }
}
