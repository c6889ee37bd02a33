import type { KeyResource, Scope } from '@stagecraft/spec/api'
import { timeMember, toIso } from '../resources/times.ts'
import type { KeyRow } from '../store/schema.ts'

export function toKey(row: KeyRow): KeyResource {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: JSON.parse(row.scopes) as Scope[],
    createdAt: toIso(row.created_at),
    ...timeMember('expiresAt', row.expires_at),
    ...timeMember('lastUsedAt', row.last_used_at),
    ...timeMember('revokedAt', row.revoked_at),
  }
}
