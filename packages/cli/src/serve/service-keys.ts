import { createKey, type Keys, staticKeys } from '@stagecraft/http'
import { StagecraftError } from '@stagecraft/spec'
import { keyProblem } from './key-problem.ts'

export interface ServiceKeys {
  readonly keys: Keys
  /** The created key if none was given, to be shown once. */
  readonly created: string | undefined
}

/**
 * Reads the keys of `STAGECRAFT_API_KEYS`, or creates one if there are none. They are hashed immediately.
 *
 * @throws {StagecraftError} INVALID_REQUEST for keys that can be guessed, have a typo, or cannot be sent, by their
 * position.
 */
export function serviceKeys(variable: string | undefined): ServiceKeys {
  const given = (variable ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
  const faults = given.flatMap((key, index) => {
    const problem = keyProblem(key)
    if (!problem) return []
    const received = `${problem.received} as key ${index + 1}`
    return [{ path: 'STAGECRAFT_API_KEYS', expected: problem.expected, received }]
  })
  if (faults.length > 0) throw StagecraftError.invalid(faults)
  const created = given.length === 0 ? createKey() : undefined
  const all = created === undefined ? given : [created]
  return { keys: staticKeys(all.map((key, index) => ({ name: `key_${index + 1}`, key }))), created }
}
