/** An answer as it goes over the wire once more. */
export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A request with an `Idempotency-Key`. Holder, route and key together name it. */
export interface IdempotentRequest {
  readonly holderId: string
  /** `POST /v1/projects/{projectId}/units`. */
  readonly route: string
  /** As sent, at most 255 characters. */
  readonly key: string
  /** SHA-256 of the address and the body, in hexadecimal digits. */
  readonly bodyHash: string
}

/** The state of a key: unused, answered, used by another request, or in progress. */
export type IdempotencyStart =
  | { readonly state: 'fresh'; readonly token: string }
  | { readonly state: 'replay'; readonly answer: StoredAnswer }
  | { readonly state: 'other-body' }
  | { readonly state: 'in-flight' }

/** Remembers answers, so that a request which is sent twice is done once. */
export interface IdempotencyStore {
  /** Of two that begin at once, one is `fresh`. */
  begin(request: IdempotentRequest): Promise<IdempotencyStart>
  /** Keeps the answer of what began with the token. */
  finish(token: string, answer: StoredAnswer): Promise<void>
  /** Forgets what began with the token: it failed, and may be sent again. */
  abandon(token: string): Promise<void>
}
