import { type Fault, StagecraftError } from '@stagecraft/spec'

/** The error for a request that is wrong before any schema has seen it. */
export function invalidRequest(faults: readonly [Fault, ...Fault[]], subject: string): StagecraftError {
  const lines = faults.map(
    ({ expected, path, received }) =>
      `${path === '' ? subject : path}: expected ${expected}, got ${received}`,
  )
  return new StagecraftError('INVALID_REQUEST', lines.join('; '), { details: { faults } })
}
