import { type Fault, StagecraftError } from '@stagecraft/spec'

/** What the caller gave and nothing was sent for. */
export function invalid(faults: readonly Fault[]): StagecraftError {
  const texts = faults.map(({ expected, path, received }) => `${path}: expected ${expected}, got ${received}`)
  return new StagecraftError('INVALID_REQUEST', texts.join('; '), { details: { faults } })
}
