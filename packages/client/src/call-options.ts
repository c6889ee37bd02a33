/** What every call takes. */
export interface CallOptions {
  /** Stops the call at once, also in a pause; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** What calls inside a project take. */
export interface ProjectOptions extends CallOptions {
  /** Default: `projectId` of the client, or else the project that the key opens. */
  readonly projectId?: string | undefined
}

/** What calls that make something take. */
export interface CreationOptions extends CallOptions {
  /**
   * Two calls with the same key make one thing. Give one of your own when a program that was ended may begin anew.
   * 1 to 255 visible ASCII characters. Default: a random one for each call, kept over its retries.
   */
  readonly idempotencyKey?: string | undefined
}

/** What calls that change something take. */
export interface UpdateOptions extends CallOptions {
  /**
   * The `version` that was read. When somebody else has changed it since, nothing is changed and the call fails with
   * INVALID_REQUEST and `details.reason` `version`. Without it the call is not tried again once it was sent.
   */
  readonly ifMatch?: number | undefined
}

export interface ProjectCreationOptions extends ProjectOptions, CreationOptions {}

export interface ProjectUpdateOptions extends ProjectOptions, UpdateOptions {}
