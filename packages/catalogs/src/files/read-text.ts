import { readFile } from 'node:fs/promises'
import { assertPlainPath } from './assert-plain-path.ts'
import { fileFailed, unreadable } from './file-failed.ts'

/**
 * Reads the text of a file: UTF-8, or UTF-16 if it begins with that byte order mark, as scripts of SQL Server
 * do.
 *
 * @param encoding The stated encoding of the file.
 * @throws {StagecraftError} CONNECTION_FAILED with the path and the reason: the first byte that is invalid in
 * the encoding, or a null character.
 */
export async function readText(path: string, encoding?: string): Promise<string> {
  await assertPlainPath(path)
  const bytes = await readFile(path).catch((error: unknown) => {
    throw fileFailed(error, path)
  })
  const text = decodeText(bytes, { path, encoding })
  const end = text.indexOf('\0')
  if (end >= 0) throw nullCharacter(text.slice(0, end), path)
  return text
}

interface DecodeOptions {
  readonly path: string
  readonly encoding?: string | undefined
}

function decodeText(bytes: Uint8Array, { encoding, path }: DecodeOptions): string {
  const name = encoding ?? encodingOf(bytes)
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes)
  } catch (error) {
    throw error instanceof TypeError ? undecodable(bytes, { path, encoding: name }) : fileFailed(error, path)
  }
}

/** Returns the encoding that the first bytes mark; UTF-8 without a mark. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

function undecodable(bytes: Uint8Array, { encoding = 'utf-8', path }: DecodeOptions): Error {
  const offset = encoding === 'utf-8' ? firstInvalid(bytes) : undefined
  if (offset === undefined) return unreadable(path, `it is not ${encoding}`)
  return invalidByte({ path, offset, line: lineAt(bytes, offset), byte: bytes[offset] ?? 0 })
}

interface InvalidByte {
  readonly path: string
  readonly offset: number
  readonly line: number
  readonly byte: number
}

/** Creates the error for a byte that is not UTF-8. */
function invalidByte({ byte, line, offset, path }: InvalidByte): Error {
  const shown = `0x${byte.toString(16).padStart(2, '0').toUpperCase()}`
  const reason = `line ${line}, byte ${offset} (${shown}) is not UTF-8`
  const suggestion = 'save the file as UTF-8, or append its encoding to the path: ?encoding=windows-1252'
  return unreadable(path, reason, undefined, suggestion)
}

/** Creates the error for a null character, which would silently end a part of a script. */
function nullCharacter(before: string, path: string): Error {
  const line = before.split('\n').length
  const place = `line ${line}, character ${before.length - before.lastIndexOf('\n')}`
  const reason = `${place} is a null character (0x00), which text cannot contain`
  const suggestion =
    'remove it, or append the encoding of the file to the path: ?encoding=utf-16le for a script of SQL Server'
  return unreadable(path, reason, undefined, suggestion)
}

function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) line++
  return line
}

/**
 * Returns the offset of the first byte that is not UTF-8; undefined if all are.
 * https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-3/#G27506
 */
function firstInvalid(bytes: Uint8Array): number | undefined {
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

/** Returns the range of the second byte. It excludes overlong forms, surrogates and anything beyond U+10FFFF. */
function secondByte(first: number): readonly [low: number, high: number] {
  if (first === 0xe0) return [0xa0, 0xbf]
  if (first === 0xed) return [0x80, 0x9f]
  if (first === 0xf0) return [0x90, 0xbf]
  return first === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf]
}
