import { checkKeyFormat, createKey, type Keys, staticKeys } from '@stagecraft/http'
import { StagecraftError } from '@stagecraft/spec'

export interface ServiceKeys {
  readonly keys: Keys
  /** The key that was made because none was given; to be shown once. */
  readonly created: string | undefined
  /** The weaknesses of the given keys, without the keys. */
  readonly warnings: readonly string[]
}

/**
 * The keys of `STAGECRAFT_API_KEYS`, or a new one when there are none. They are hashed at once.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a text that no client could send as a key.
 */
export function serviceKeys(variable: string | undefined): ServiceKeys {
  const given = (variable ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
  for (const [index, key] of given.entries()) assertSendable(key, index + 1)
  const created = given.length === 0 ? createKey() : undefined
  const all = created === undefined ? given : [created]
  return {
    keys: staticKeys(all.map((key, index) => ({ name: `key_${index + 1}`, key }))),
    created,
    warnings: given.flatMap((key, index) => warningsOf(key, index + 1)),
  }
}

function assertSendable(key: string, position: number): void {
  if (/^[\w.~+/-]{1,512}=*$/.test(key)) return
  const expected = 'keys of letters, digits and ._~+/- with commas between them'
  const received = `something else as key ${position}`
  throw new StagecraftError('INVALID_REQUEST', `STAGECRAFT_API_KEYS: expected ${expected}, got ${received}`, {
    details: { faults: [{ path: 'STAGECRAFT_API_KEYS', expected, received }] },
  })
}

function warningsOf(key: string, position: number): readonly string[] {
  if (checkKeyFormat(key) === 'mistyped') return [`key ${position} has a typo: its checksum is wrong`]
  return key.length < 20 ? [`key ${position} is short enough to be guessed`] : []
}
