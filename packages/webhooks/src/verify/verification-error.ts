/** The reasons why a delivery is not accepted, with their wording. */
export const VERIFICATION_FAILURES = {
  invalid_secret: 'the secret cannot be used',
  invalid_payload: 'expected the raw body as text or bytes, got something else: verify before you parse it',
  missing_service_signature: 'the header x-service-signature is missing',
  missing_standard_headers: 'webhook-id, webhook-timestamp and webhook-signature must all be present',
  missing_signature: 'no header has a signature',
  malformed_header: 'a header of the signature is malformed or repeated',
  signature_mismatch: 'no signature fits the body and the secret',
  timestamp_too_old: 'the delivery was sent too long ago',
  timestamp_too_new: 'the delivery was sent in the future: compare the clocks',
  invalid_json: 'the signature is valid, but the body is not JSON',
} as const

export type VerificationFailure = keyof typeof VERIFICATION_FAILURES

/** A delivery that is not accepted. */
export class WebhookVerificationError extends Error {
  /** Stable, for programs. */
  readonly reason: VerificationFailure

  constructor(reason: VerificationFailure, detail?: string) {
    super(
      detail === undefined ? VERIFICATION_FAILURES[reason] : `${VERIFICATION_FAILURES[reason]}: ${detail}`,
    )
    this.name = 'WebhookVerificationError'
    this.reason = reason
  }
}
