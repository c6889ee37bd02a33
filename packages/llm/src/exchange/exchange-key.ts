import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'

/** Returns a short name for a value. Two different values share a name once in 2^64. */
export function exchangeKey(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 16)
}
