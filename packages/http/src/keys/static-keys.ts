import { StagecraftError } from '@stagecraft/spec'
import type { KeyHolder, Keys } from '../ports/keys.ts'

/** A key that is fixed for the life of the process: the key itself, or its SHA-256 in hexadecimal digits. */
export type StaticKey = {
  /** Shown in logs. Keys of one name share a rate limit. */
  readonly name: string
  /** @default ['generate'] */
  readonly scopes?: readonly string[]
  /** The project that the key gives access to under `/v1`. Default: none. */
  readonly projectId?: string
} & ({ readonly key: string; readonly hash?: never } | { readonly hash: string; readonly key?: never })

interface Entry {
  readonly holder: KeyHolder
  readonly hash: Uint8Array
}

/**
 * Creates `Keys` from a list. Only hashes are kept, and a key is compared with all of them in constant time.
 */
export function staticKeys(keys: readonly StaticKey[]): Keys {
  const entries = Promise.all(keys.map(toEntry))
  return {
    async verify(key) {
      const hash = await sha256(key)
      let found: KeyHolder | undefined
      for (const entry of await entries) {
        if (isEqual(entry.hash, hash)) found ??= entry.holder
      }
      return found
    },
  }
}

function toEntry({ hash, key, name, projectId, scopes = ['generate'] }: StaticKey): Promise<Entry> {
  const holder = { id: name, scopes, ...(projectId !== undefined && { projectId }) }
  if (key !== undefined) return sha256(key).then((hash) => ({ holder, hash }))
  if (!/^[0-9a-f]{64}$/i.test(hash)) {
    const expected = 'a SHA-256 in 64 hexadecimal digits'
    throw new StagecraftError('INVALID_REQUEST', `the hash of the key ${name}: expected ${expected}`)
  }
  return Promise.resolve({
    holder,
    hash: Uint8Array.from(hash.match(/../g) ?? [], (pair) => parseInt(pair, 16)),
  })
}

async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

/** Compares every byte, even after a difference, so that the time reveals nothing. */
function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0)
  return difference === 0
}
