import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the heap's young generation at its first size while modules load. Loaded code stays in memory, and the young
 * generation would otherwise grow by some 25 MB that an idle service never returns.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** Lets it grow again for requests. */
export function allowHeapGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}
