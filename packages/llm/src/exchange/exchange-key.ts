import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'

/** A short name for a value: two that differ have the same one once in 2^64. */
export function exchangeKey(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 16)
}
