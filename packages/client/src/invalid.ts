import { type Fault, StagecraftError } from '@stagecraft/spec'

/** Creates the error for invalid input that was never sent. */
export function invalid(faults: readonly Fault[]): StagecraftError {
  const texts = faults.map(({ expected, path, received }) => `${path}: expected ${expected}, got ${received}`)
  return new StagecraftError('INVALID_REQUEST', texts.join('; '), { details: { faults } })
}
