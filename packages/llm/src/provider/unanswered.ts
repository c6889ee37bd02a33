import type { BackendFailure } from '@stagecraft/spec'

/** The error of reading an answer that did not come, before the request it belongs to is known. */
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
