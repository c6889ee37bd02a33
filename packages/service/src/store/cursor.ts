import { crc32 } from 'node:zlib'
import { StagecraftError } from '@stagecraft/spec'

/** The last row of a page, after which the next one starts. */
export interface Position {
  readonly createdAt: number
  readonly id: string
}

/** Opaque to whoever gets it; its checksum tells a mistyped or shortened one. */
export function printCursor({ createdAt, id }: Position): string {
  const text = JSON.stringify([createdAt, id])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(text))
  return Buffer.concat([checksum, Buffer.from(text)]).toString('base64url')
}

/** @throws {StagecraftError} INVALID_REQUEST for a text that `printCursor` did not make. */
export function parseCursor(cursor: string): Position {
  const position = positionOf(Buffer.from(cursor, 'base64url').subarray(4).toString())
  if (position !== undefined && printCursor(position) === cursor) return position
  const fault = {
    path: 'cursor',
    expected: 'a cursor from an earlier page',
    received: JSON.stringify(cursor.slice(0, 100)),
  }
  throw StagecraftError.invalid(fault, { suggestion: 'omit it to start from the first page' })
}

function positionOf(text: string): Position | undefined {
  const [createdAt, id, ...rest] = arrayOf(text)
  if (rest.length > 0 || !Number.isSafeInteger(createdAt)) return undefined
  // PostgreSQL takes no text with a zero character
  return typeof id === 'string' && /^[\x21-\x7e]{1,200}$/.test(id)
    ? { createdAt: createdAt as number, id }
    : undefined
}

function arrayOf(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
