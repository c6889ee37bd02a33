import { StagecraftError, compareText } from '@stagecraft/spec'
import { hash } from 'node:crypto'

/**
 * SHA-256 of an address and a body, whatever the order of its members.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a body that is nested too deep to be written down.
 */
export function hashRequest(address: string, body: unknown): string {
  return hash('sha256', `${address}\n${canonical(body)}`)
}

function canonical(body: unknown): string {
  try {
    return JSON.stringify(body, sortMembers)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const fault = { path: '', expected: 'less nesting', received: 'thousands of levels' }
    throw StagecraftError.invalid([fault], { subject: 'the body' })
  }
}

function sortMembers(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => compareText(a, b)))
}
