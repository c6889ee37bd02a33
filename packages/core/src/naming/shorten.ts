/** Seven letters and digits that stand for a text (FNV-1a): small, fast, the same everywhere. Not for secrets. */
export function hash(text: string): string {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) {
    value = Math.imul(value ^ byte, 0x01000193) >>> 0
  }
  return value.toString(36).padStart(7, '0')
}

/**
 * Cuts an ASCII name to `limit` characters. The end is a hash of the whole name, so that two long names
 * that begin alike stay apart.
 */
export function shorten(name: string, limit: number): string {
  const tail = hash(name)
  return `${name.slice(0, limit - tail.length - 1).replace(/_+$/, '')}_${tail}`
}
