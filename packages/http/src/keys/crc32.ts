/** The CRC-32 of zip and PNG, bit by bit: keys are short, and `node:zlib` is not everywhere. */
export function crc32(text: string): number {
  let checksum = 0xffffffff
  for (const byte of new TextEncoder().encode(text)) {
    checksum ^= byte
    for (let bit = 0; bit < 8; bit++) checksum = (checksum >>> 1) ^ (checksum & 1 ? 0xedb88320 : 0)
  }
  return (checksum ^ 0xffffffff) >>> 0
}
