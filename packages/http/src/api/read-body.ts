import type { Operation } from '@stagecraft/spec/api'
import { check } from '@stagecraft/spec/validate'
import { z } from 'zod'
import { parseJsonBody } from '../body/json-body.ts'
import type { Read } from './read.ts'

/** The body of operations that need none: absent, or `{}`. */
const NOTHING = z.strictObject({})

export interface ReadBody extends Read {
  /** As it came, before the schema filled in what was left out; undefined where bodies are ignored. */
  readonly raw: unknown
}

/**
 * A body, by the schema of its operation. That of GET and DELETE is ignored.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a body that is not JSON.
 */
export function readBody(
  bytes: Uint8Array,
  { body: schema, isBodyOptional, method }: Pick<Operation, 'body' | 'isBodyOptional' | 'method'>,
): ReadBody {
  if (method === 'GET' || method === 'DELETE') return { raw: undefined, value: undefined, faults: [] }
  const mayLack = isBodyOptional ?? schema === undefined
  const raw = mayLack && bytes.length === 0 ? {} : parseJsonBody(bytes)
  const checked = check(schema ?? NOTHING, raw)
  if ('value' in checked) return { raw, value: schema && checked.value, faults: [] }
  return {
    raw,
    value: undefined,
    faults: checked.faults.map(({ expected, path, received }) => ({ path, expected, received })),
  }
}
