import { StagecraftError } from '@stagecraft/spec'
import { encodeBase62, randomBase62 } from './base62.ts'
import { crc32 } from './crc32.ts'

const PATTERN = /^(sk_(?:[a-z][a-z0-9]*_)?[0-9A-Za-z]{30})_([0-9A-Za-z]{6})$/

export interface CreateKeyOptions {
  /** The environment it is for, in lower-case letters and digits: `live`, `test`. Default: not said. */
  readonly environment?: string
}

/**
 * A new key: `sk_live_` (or `sk_`), 30 characters of chance (178 bits), and six of checksum, by which a typo is told from
 * a key that is unknown.
 */
export function createKey({ environment }: CreateKeyOptions = {}): string {
  if (environment !== undefined && !/^[a-z][a-z0-9]*$/.test(environment)) {
    const expected = 'small letters and digits'
    throw new StagecraftError('INVALID_REQUEST', `environment: expected ${expected}, got "${environment}"`)
  }
  const stem = `sk_${environment === undefined ? '' : `${environment}_`}${randomBase62(30)}`
  return `${stem}_${checksumOf(stem)}`
}

/**
 * Classifies a text as a key: `foreign` has another format, `mistyped` has the format and a wrong checksum.
 */
export function checkKeyFormat(key: string): 'valid' | 'mistyped' | 'foreign' {
  const [, stem, checksum] = PATTERN.exec(key) ?? []
  if (stem === undefined) return 'foreign'
  return checksumOf(stem) === checksum ? 'valid' : 'mistyped'
}

function checksumOf(stem: string): string {
  return encodeBase62(crc32(stem), 6)
}
