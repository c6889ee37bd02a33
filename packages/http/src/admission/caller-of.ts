import type { Caller } from '@stagecraft/spec/api'
import type { KeyHolder } from '../ports/keys.ts'

/** Returns the caller as handlers see it; undefined for a key without a project. */
export function callerOf({ id, projectId, scopes }: KeyHolder): Caller | undefined {
  return projectId === undefined ? undefined : { keyId: id, projectId, scopes }
}
