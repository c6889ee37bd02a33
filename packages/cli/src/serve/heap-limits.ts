import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the heap's young generation at its first size while modules load: what they make lives on, and the space that it
 * would grow to by them, some 25 MB, stays taken in a service that is idle.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** Lets it grow again, as requests need it. */
export function allowHeapGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}
