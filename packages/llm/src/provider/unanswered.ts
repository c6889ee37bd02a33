import type { BackendFailure } from '@stagecraft/spec'

/** Why reading an answer ended without one, before it is known which request it was. */
export class Unanswered extends Error {
  readonly kind: BackendFailure
  /** In our own words. */
  readonly reason: string | undefined

  constructor(kind: BackendFailure, reason?: string) {
    super(reason ?? kind)
    this.kind = kind
    this.reason = reason
  }
}
