import { createHash } from 'node:crypto'
import type { Subject } from './vocabulary.ts'

/**
 * Returns the fingerprint of a finding: SHA-256 of rule and subject, which stays when lines move.
 *
 * @param twins The count of each subject so far. It is increased, so that several findings on one subject differ.
 */
export function fingerprintOf(rule: string, subject: Subject, twins: Map<string, number>): string {
  const key = JSON.stringify([rule, subject.kind, subject.name, subject.detail ?? ''])
  const twin = twins.get(key) ?? 0
  twins.set(key, twin + 1)
  return createHash('sha256').update(`${key}${twin}`).digest('hex')
}
