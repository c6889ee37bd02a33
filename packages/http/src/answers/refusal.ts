import { type ErrorCode, StagecraftError, type StagecraftErrorOptions } from '@stagecraft/spec'

interface RefusalOptions extends StagecraftErrorOptions {
  readonly headers: Readonly<Record<string, string>>
}

/** An error that the answer says more about in headers: `WWW-Authenticate`, `Retry-After`, `Allow`. */
export class Refusal extends StagecraftError {
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, { headers, ...options }: RefusalOptions) {
    super(code, message, options)
    this.headers = headers
  }
}
