/**
 * Returns the offset of the first byte that is not UTF-8; undefined when all are.
 * https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-3/#G27506
 */
export function firstInvalid(bytes: Uint8Array): number | undefined {
  let at = 0
  while (at < bytes.length) {
    const length = lengthAt(bytes, at)
    if (length === 0) return at
    at += length
  }
  return undefined
}

/** Returns the length in bytes of the character at an offset; 0 at the end. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length =
    first >= 0xc2 && first < 0xe0
      ? 2
      : first >= 0xe0 && first < 0xf0
        ? 3
        : first >= 0xf0 && first < 0xf5
          ? 4
          : 0
  const second = bytes[at + 1] ?? 0
  const [low, high] = secondByte(first)
  if (length === 0 || second < low || second > high) return 0
  for (let next = 2; next < length; next++) {
    const byte = bytes[at + next] ?? 0
    if (byte < 0x80 || byte > 0xbf) return 0
  }
  return length
}

/** No overlong forms, no surrogates, nothing beyond U+10FFFF. */
function secondByte(first: number): readonly [low: number, high: number] {
  if (first === 0xe0) return [0xa0, 0xbf]
  if (first === 0xed) return [0x80, 0x9f]
  if (first === 0xf0) return [0x90, 0xbf]
  return first === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf]
}
