import type { ErrorCode } from '@stagecraft/spec'
import type { ChangeKind } from '@stagecraft/spec/api'

// Internal rows of the service.

export interface SettingRow {
  name: string
  value: string
}

/** A sign-in of the dashboard. */
export interface SessionRow extends SignInCodeRow {
  id: string
  last_seen_at: number
}

/** A code for a single sign-in. */
export interface SignInCodeRow {
  project_id: string
  key_id: string
  /** SHA-256 of the token or code in hexadecimal digits. */
  hash: string
  created_at: number
  expires_at: number
}

/** One change of a resource, written by triggers; see `change-log.ts`. */
export interface ChangeRow {
  /** The number of the transaction; 0 on SQLite. */
  position: number
  seq: number
  project_id: string
  kind: ChangeKind | 'session'
  resource_id: string
  change: 'created' | 'updated' | 'deleted'
  state: string | null
  created_at: number
}

export interface IdempotencyRow {
  holder_id: string
  route: string
  key: string
  body_hash: string
  /** The request that works on it; null when it is finished. */
  token: string | null
  locked_until: number | null
  /** JSON of status, headers and body. */
  answer: string | null
  created_at: number
}

export interface RateLimitRow {
  holder_id: string
  /** The time at which the quota is full again, including fractions of a millisecond. */
  whole_at: number
}

/** An entry of the audit log. */
export interface AuditRow {
  id: string
  project_id: string
  created_at: number
  via: 'key' | 'session' | 'command'
  operation: string
  outcome: 'done' | 'refused'
  key_id: string | null
  /** The name of the key at that time. */
  key_name: string | null
  resource_id: string | null
  code: ErrorCode | null
  request_id: string | null
}
