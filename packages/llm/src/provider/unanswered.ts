import type { BackendFailure } from '@stagecraft/spec'

/** The error of a missing answer, before its request is known. */
export class Unanswered extends Error {
  readonly kind: BackendFailure
  /** The reason in our own words. */
  readonly reason: string | undefined

  constructor(kind: BackendFailure, reason?: string) {
    super(reason ?? kind)
    this.kind = kind
    this.reason = reason
  }
}
