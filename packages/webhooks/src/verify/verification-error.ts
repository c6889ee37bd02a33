/** The reasons why a delivery is rejected, with their wording. */
export const VERIFICATION_FAILURES = {
  invalid_secret: 'the secret is invalid',
  invalid_payload: 'expected the raw body as text or bytes, got something else: verify before you parse it',
  missing_service_signature: 'the header x-service-signature is missing',
  missing_standard_headers: 'webhook-id, webhook-timestamp and webhook-signature must all be present',
  missing_signature: 'no header has a signature',
  malformed_header: 'a header of the signature is malformed or repeated',
  signature_mismatch: 'no signature matches the body and the secret',
  timestamp_too_old: 'the delivery was sent too long ago',
  timestamp_too_new: 'the timestamp of the delivery is in the future: check the clocks',
  invalid_json: 'the signature is valid, but the body is not JSON',
} as const

export type VerificationFailure = keyof typeof VERIFICATION_FAILURES

/** The error of a rejected delivery. */
export class WebhookVerificationError extends Error {
  /** A stable code for programs. */
  readonly reason: VerificationFailure

  constructor(reason: VerificationFailure, detail?: string) {
    super(
      detail === undefined ? VERIFICATION_FAILURES[reason] : `${VERIFICATION_FAILURES[reason]}: ${detail}`,
    )
    this.name = 'WebhookVerificationError'
    this.reason = reason
  }
}
