/** Options of every call. */
export interface CallOptions {
  /** Stops the call at once, even in a pause; the call throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Options of calls inside a project. */
export interface ProjectOptions extends CallOptions {
  /** Default: `projectId` of the client, otherwise the project of the key. */
  readonly projectId?: string | undefined
}

/** Options of calls that create something. */
export interface CreationOptions extends CallOptions {
  /**
   * Two calls with the same key create one thing. Set it if your program may repeat the call after a restart. 1 to 255
   * visible ASCII characters. Default: a random key for each call, kept for its retries.
   */
  readonly idempotencyKey?: string | undefined
}

/** Options of calls that change something. */
export interface UpdateOptions extends CallOptions {
  /**
   * The `version` that was read. If the resource has changed since, the call changes nothing and fails with
   * INVALID_REQUEST and `details.reason` `version`. Without it the call is not retried after it was sent.
   */
  readonly ifMatch?: number | undefined
}

export interface ProjectCreationOptions extends ProjectOptions, CreationOptions {}

export interface ProjectUpdateOptions extends ProjectOptions, UpdateOptions {}
