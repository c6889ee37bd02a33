import { StagecraftError } from '@stagecraft/spec'

/** The last source of a page, after which the next one starts. */
export interface NamePosition {
  readonly name: string
  readonly connectionId: string
}

export function printNameCursor({ connectionId, name }: NamePosition): string {
  return Buffer.from(JSON.stringify([name, connectionId])).toString('base64url')
}

/** @throws {StagecraftError} INVALID_REQUEST for a text that `printNameCursor` did not make. */
export function parseNameCursor(cursor: string): NamePosition {
  const [name, connectionId, ...rest] = arrayOf(Buffer.from(cursor, 'base64url').toString())
  const isText = typeof name === 'string' && typeof connectionId === 'string' && rest.length === 0
  // PostgreSQL takes no text with a zero character
  if (isText && !`${name}${connectionId}`.includes('\0')) {
    const position = { name, connectionId }
    if (printNameCursor(position) === cursor) return position
  }
  const expected = 'a cursor from an earlier page'
  throw StagecraftError.invalid([
    { path: 'cursor', expected, received: JSON.stringify(cursor.slice(0, 100)) },
  ])
}

function arrayOf(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
