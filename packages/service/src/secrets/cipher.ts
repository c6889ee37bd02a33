import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { StagecraftError } from '@stagecraft/spec'

/** Encrypts the secrets in the store. */
export interface Cipher {
  /** The prefix of every text that was encrypted with the newest key. */
  readonly newest: string
  /**
   * Encrypts a text for a place in the store, such as `connections/conn_…/catalog`. It can be decrypted for that place
   * only.
   */
  seal(text: string, place: string): string
  /**
   * @throws {StagecraftError} CONNECTION_FAILED for a text that was encrypted with another key, or for another place.
   */
  open(sealed: string, place: string): string
}

const KEY_BYTES = 32
const VECTOR_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM. The first key encrypts and all keys decrypt, so that a key can be replaced while the old one is still
 * known.
 */
export function createCipher(keys: readonly Uint8Array[]): Cipher {
  const byId = new Map(keys.map((key) => [idOf(key), key]))
  const [newest] = keys
  if (!newest || keys.some((key) => key.length !== KEY_BYTES))
    throw new TypeError(`expected keys of ${KEY_BYTES} bytes`)
  const prefix = `v1.${idOf(newest)}.`
  return {
    newest: prefix,
    seal(text, place) {
      const vector = randomBytes(VECTOR_BYTES)
      const cipher = createCipheriv('aes-256-gcm', newest, vector).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([vector, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${prefix}${sealed.toString('base64url')}`
    },
    open(sealed, place) {
      const [version, id = '', data = ''] = sealed.split('.')
      const key = byId.get(id)
      if (version !== 'v1' || !key) throw unreadable('it was encrypted with a key that is not configured')
      return decrypt(Buffer.from(data, 'base64url'), key, place)
    },
  }
}

function decrypt(data: Buffer, key: Uint8Array, place: string): string {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, data.subarray(0, VECTOR_BYTES))
    decipher.setAAD(Buffer.from(place)).setAuthTag(data.subarray(-TAG_BYTES))
    const text = [decipher.update(data.subarray(VECTOR_BYTES, -TAG_BYTES)), decipher.final()]
    return Buffer.concat(text).toString('utf8')
  } catch {
    throw unreadable('it was changed, or copied from another place')
  }
}

/** Identifies a key without revealing it. */
function idOf(key: Uint8Array): string {
  return createHash('sha256').update('stagecraft key id').update(key).digest('hex').slice(0, 8)
}

function unreadable(reason: string): StagecraftError {
  return new StagecraftError('CONNECTION_FAILED', `a secret of the store cannot be read: ${reason}`, {
    details: { reason: 'a secret of the store cannot be read' },
  })
}
