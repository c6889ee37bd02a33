import { StagecraftError } from '@stagecraft/spec'

/** The body's own headers, as sent. */
export interface BodyHeaders {
  readonly contentType: string | null | undefined
  readonly contentEncoding: string | null | undefined
}

/** @throws {StagecraftError} INVALID_REQUEST for a body whose headers do not declare plain JSON. */
export function checkBodyHeaders({ contentEncoding, contentType }: BodyHeaders): void {
  if (!/^application\/json[ \t]*(?:;[^,]*)?$/i.test(contentType?.trim() ?? '')) {
    const received = contentType ? JSON.stringify(contentType.slice(0, 100)) : 'nothing'
    throw StagecraftError.invalid([
      { path: 'headers.content-type', expected: '"application/json"', received },
    ])
  }
  if (contentEncoding && contentEncoding.trim().toLowerCase() !== 'identity') {
    const received = JSON.stringify(contentEncoding.slice(0, 100))
    throw StagecraftError.invalid([{ path: 'headers.content-encoding', expected: 'no encoding', received }])
  }
}

/** Creates the error for a body that is too long, raised as soon as the limit is passed. */
export function bodyTooLarge(bytes: number): Error {
  const fault = { path: '', expected: `at most ${bytes} bytes`, received: 'more' }
  return StagecraftError.invalid([fault], { subject: 'the body' })
}

const DECODER = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a body.
 *
 * @throws {StagecraftError} INVALID_REQUEST for anything but JSON in UTF-8, for keys such as `__proto__`, and for
 * text with U+0000.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  const value = parse(text)
  // An escape can hide the name, so the parsed value is searched too.
  if (/__proto__|\\u/.test(text)) refuseTraps(value)
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return DECODER.decode(bytes)
  } catch {
    throw StagecraftError.invalid([{ path: '', expected: 'text in UTF-8', received: 'other bytes' }], {
      subject: 'the body',
    })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const received = text.trim() === '' ? 'nothing' : `text that is not JSON${placeOf(error)}`
    throw StagecraftError.invalid([{ path: '', expected: 'a JSON object', received }], {
      subject: 'the body',
    })
  }
}

/** Returns the position at which the parser stopped, without the part of the body that its message quotes. */
function placeOf(error: unknown): string {
  const position = /at position \d+/.exec(error instanceof Error ? error.message : '')?.[0]
  return position === undefined ? '' : `, ${position}`
}

interface Place {
  readonly value: unknown
  readonly path: string
}

function refuseTraps(root: unknown): void {
  const rest: Place[] = [{ value: root, path: '' }]
  for (let place = rest.pop(); place; place = rest.pop()) {
    const { path, value } = place
    if (typeof value === 'string' && value.includes('\0')) throw withNul(path)
    if (typeof value !== 'object' || value === null) continue
    for (const [key, member] of Object.entries(value)) {
      const at = path === '' ? key : `${path}.${key}`
      if (key === '__proto__') {
        throw StagecraftError.invalid(
          [{ path: at, expected: 'no key of this name', received: 'the key "__proto__"' }],
          { subject: 'the body' },
        )
      }
      rest.push({ value: member, path: at })
    }
  }
}

/** PostgreSQL cannot store such text, and other programs cut names short at it. */
function withNul(path: string): Error {
  return StagecraftError.invalid([{ path, expected: 'text without U+0000', received: 'text with U+0000' }], {
    subject: 'the body',
  })
}
