import { StagecraftError } from '@stagecraft/spec'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Prints a number in base 62 with a minimum of digits. */
function encodeBase62(number: number, digits: number): string {
  let text = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / 62)) text = (DIGITS[rest % 62] ?? '') + text
  return text.padStart(digits, '0')
}

/** Returns random digits, all equally likely. */
function randomBase62(digits: number): string {
  let text = ''
  while (text.length < digits) {
    for (const byte of crypto.getRandomValues(new Uint8Array(digits))) {
      // 248 is the largest multiple of 62 in a byte; the rest would favour the first digits.
      if (byte < 248 && text.length < digits) text += DIGITS[byte % 62]
    }
  }
  return text
}

/**
 * Computes the CRC-32 of zip and PNG, bit by bit: keys are short, and `node:zlib` is not available
 * everywhere.
 */
export function crc32(text: string): number {
  let checksum = 0xffffffff
  for (const byte of new TextEncoder().encode(text)) {
    checksum ^= byte
    for (let bit = 0; bit < 8; bit++) checksum = (checksum >>> 1) ^ (checksum & 1 ? 0xedb88320 : 0)
  }
  return (checksum ^ 0xffffffff) >>> 0
}

const PATTERN = /^(sk_(?:[a-z][a-z0-9]*_)?[0-9A-Za-z]{30})_([0-9A-Za-z]{6})$/

export interface CreateKeyOptions {
  /** The environment of the key, in lower-case letters and digits: `live`, `test`. Default: none. */
  readonly environment?: string
}

/**
 * Creates a key: `sk_live_` (or `sk_`), 30 random characters (178 bits), and a checksum of six, which
 * distinguishes typing errors from unknown keys.
 */
export function createKey({ environment }: CreateKeyOptions = {}): string {
  if (environment !== undefined && !/^[a-z][a-z0-9]*$/.test(environment)) {
    const expected = 'lower-case letters and digits'
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
