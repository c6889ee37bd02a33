/** The holder of a key and its permissions. */
export interface KeyHolder {
  /** Shown in logs, and the subject of the rate limit. Never the key itself. */
  readonly id: string
  /** `POST /generate` needs `generate`. */
  readonly scopes: readonly string[]
  /** The project that it gives access to. Default: none, so it cannot use `/v1`. */
  readonly projectId?: string
  /** The session that was sent in place of the key. Undefined if the key itself was sent. */
  readonly sessionId?: string
}

/** Returns the holder of a key. */
export interface Keys {
  /** Undefined for a key that is unknown, revoked or expired. */
  verify(key: string): Promise<KeyHolder | undefined>
}
