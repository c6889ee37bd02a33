import { StagecraftError } from '@stagecraft/spec'

/** @throws {StagecraftError} INVALID_REQUEST unless there are names or `--all`, and not both. */
export function assertSources(sources: readonly string[], all: boolean): void {
  if (all !== sources.length > 0) return
  const expected = 'source names (raw.stripe.payments), whole schemas (stripe.*), or --all'
  const received = all ? 'names and --all' : 'neither'
  throw new StagecraftError('INVALID_REQUEST', `expected ${expected}, got ${received}`, {
    details: { faults: [{ path: 'source', expected, received }] },
  })
}
