import type { Operation } from '@stagecraft/spec/api'
import type { Read } from './read.ts'

export function entityTag(version: number): string {
  return `"v${version}"`
}

/** Whether an operation changes what has a version. */
export function takesIfMatch({ hasVersion, method }: Pick<Operation, 'hasVersion' | 'method'>): boolean {
  return hasVersion === true && (method === 'PATCH' || method === 'DELETE')
}

/** The version that `If-Match` asks for. A change that cannot heed it is refused, and not made all the same. */
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
  const digits = /^\s*"v([1-9]\d{0,14})"\s*$/.exec(header)?.[1]
  if (digits !== undefined) return { value: Number(digits), faults: [] }
  const expected = 'one ETag of the resource, as "v3" with its quotes, or *'
  return { value: undefined, faults: [{ path, expected, received }] }
}

/** Whether `If-None-Match` names the tag; as RFC 9110 wishes, `W/` makes no difference here. */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const names = new Set(header.split(',').map((one) => one.trim().replace(/^W\//, '')))
  return names.has(tag) || names.has('*')
}
