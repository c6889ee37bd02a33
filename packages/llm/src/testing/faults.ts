import { StagecraftError } from '@stagecraft/spec'

/** Runs work that must be refused and returns its faults. */
export function faultsOf(make: () => unknown): StagecraftError {
  try {
    make()
  } catch (error) {
    if (error instanceof StagecraftError) return error
    throw error
  }
  throw new Error('expected a StagecraftError, got a value')
}
