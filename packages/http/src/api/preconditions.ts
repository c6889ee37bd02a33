import { createHash } from 'node:crypto'
import type { Operation } from '@stagecraft/spec/api'
import type { Read } from './read.ts'

/**
 * The tag of a resource as it was answered: its version, which counts what people change, and a hash of all of it, which
 * also tells what others do to it, such as a generation of a unit or a delivery of a webhook.
 */
export function entityTag(version: number, data: object): string {
  const hash = createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 16)
  return `"v${version}-${hash}"`
}

/** Returns true if an operation changes a resource with a version. */
export function takesIfMatch({ hasVersion, method }: Pick<Operation, 'hasVersion' | 'method'>): boolean {
  return hasVersion === true && (method === 'PATCH' || method === 'DELETE')
}

/** The version that `If-Match` asks for; what others did to the resource meanwhile is in nobody's way. A change that cannot heed it is refused, and not made all the same. */
export function readIfMatch(
  header: string | undefined,
  operation: Pick<Operation, 'hasVersion' | 'method'>,
): Read<number | undefined> {
  if (header === undefined || operation.method === 'GET') return { value: undefined, faults: [] }
  const path = 'headers.if-match'
  const received = JSON.stringify(header.slice(0, 60))
  if (!takesIfMatch(operation)) {
    return { value: undefined, faults: [{ path, expected: 'no such header here', received }] }
  }
  if (header.trim() === '*') return { value: undefined, faults: [] }
  const digits = /^\s*"v([1-9]\d{0,14})(?:-[\da-f]{16})?"\s*$/.exec(header)?.[1]
  if (digits !== undefined) return { value: Number(digits), faults: [] }
  const expected = 'one ETag of the resource, as "v3" with its quotes, or *'
  return { value: undefined, faults: [{ path, expected, received }] }
}

/** Returns true if `If-None-Match` names the tag; `W/` makes no difference, as RFC 9110 requires. */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const names = new Set(header.split(',').map((one) => one.trim().replace(/^W\//, '')))
  return names.has(tag) || names.has('*')
}
