/** A kept response, ready to send again. */
export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A request with an `Idempotency-Key`, identified by holder, route and key. */
export interface IdempotentRequest {
  readonly holderId: string
  /** `POST /v1/projects/{projectId}/units`. */
  readonly route: string
  /** As sent, at most 255 characters. */
  readonly key: string
  /** SHA-256 of the address and the body, in hexadecimal digits. */
  readonly bodyHash: string
}

/** The state of a key: unused, completed, used by another request, or in progress. */
export type IdempotencyStart =
  | { readonly state: 'fresh'; readonly token: string }
  | { readonly state: 'replay'; readonly answer: StoredAnswer }
  | { readonly state: 'other-body' }
  | { readonly state: 'in-flight' }

/** Keeps responses, so that a request sent twice runs once. */
export interface IdempotencyStore {
  /** If two begin at the same time, one of them is `fresh`. */
  begin(request: IdempotentRequest): Promise<IdempotencyStart>
  /** Stores the response of the request that began with the token. */
  finish(token: string, answer: StoredAnswer): Promise<void>
  /** Forgets the request that began with the token: it failed, and may be sent again. */
  abandon(token: string): Promise<void>
}
