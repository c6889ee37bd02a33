const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A number in base 62, in at least so many digits. */
export function encodeBase62(number: number, digits: number): string {
  let text = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / 62)) text = (DIGITS[rest % 62] ?? '') + text
  return text.padStart(digits, '0')
}

/** Digits of chance, each as likely as any other. */
export function randomBase62(digits: number): string {
  let text = ''
  while (text.length < digits) {
    for (const byte of crypto.getRandomValues(new Uint8Array(digits))) {
      // 248 is the largest multiple of 62 in a byte; the rest would favour the first digits.
      if (byte < 248 && text.length < digits) text += DIGITS[byte % 62]
    }
  }
  return text
}
