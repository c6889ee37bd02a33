/** The holder of a key and its permissions. */
export interface KeyHolder {
  /** Stands in logs, and has the rate limit. Never the key. */
  readonly id: string
  /** `POST /generate` needs `generate`. */
  readonly scopes: readonly string[]
  /** The one project that it opens. Default: none, and with it nothing under `/v1`. */
  readonly projectId?: string
  /** The session that stands for the key. Default: the key itself was sent. */
  readonly sessionId?: string
}

/** Tells who a key belongs to. */
export interface Keys {
  /** Undefined for a key that is unknown, revoked or expired. */
  verify(key: string): Promise<KeyHolder | undefined>
}
