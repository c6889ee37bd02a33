/** Options of every call. */
export interface CallOptions {
  /** Stops the call at once, also in a pause; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Options of calls inside a project. */
export interface ProjectOptions extends CallOptions {
  /** Default: `projectId` of the client, or else the project that the key opens. */
  readonly projectId?: string | undefined
}

/** Options of calls that create something. */
export interface CreationOptions extends CallOptions {
  /**
   * Two calls with the same key make one thing. Give one of your own when a program that was ended may begin anew.
   * 1 to 255 visible ASCII characters. Default: a random one for each call, kept over its retries.
   */
  readonly idempotencyKey?: string | undefined
}

/** Options of calls that change something. */
export interface UpdateOptions extends CallOptions {
  /**
   * The `version` that was read. When somebody else has changed it since, nothing is changed and the call fails with
   * INVALID_REQUEST and `details.reason` `version`. Without it the call is not tried again once it was sent.
   */
  readonly ifMatch?: number | undefined
}

export interface ProjectCreationOptions extends ProjectOptions, CreationOptions {}

export interface ProjectUpdateOptions extends ProjectOptions, UpdateOptions {}
