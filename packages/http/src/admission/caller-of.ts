import type { Caller } from '@stagecraft/spec/api'
import type { KeyHolder } from '../ports/keys.ts'

/** Who calls, as handlers see it; undefined for a key that opens no project. */
export function callerOf({ id, projectId, scopes }: KeyHolder): Caller | undefined {
  return projectId === undefined ? undefined : { keyId: id, projectId, scopes }
}
