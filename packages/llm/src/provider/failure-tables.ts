import type { BackendFailure } from '@stagecraft/spec'

type Words = Readonly<Record<string, BackendFailure>>

/**
 * Types and codes of errors that are more precise than the HTTP status: of the Messages API, the Responses API and
 * compatible servers.
 *
 * @see https://platform.claude.com/docs/en/api/errors
 * @see https://platform.openai.com/docs/guides/error-codes
 */
export const PRECISE_WORDS = {
  authentication_error: 'auth',
  permission_error: 'auth',
  invalid_api_key: 'auth',
  billing_error: 'quota',
  billing_hard_limit_reached: 'quota',
  contract_spend_limit_reached: 'quota',
  enforced_spend_limit_reached: 'quota',
  insufficient_quota: 'quota',
  linked_organization_billing_unavailable: 'quota',
  linked_organization_spend_limit_reached: 'quota',
  model_not_found: 'model_not_found',
  request_too_large: 'too_large',
  context_length_exceeded: 'too_large',
  string_above_max_length: 'too_large',
  rate_limit_error: 'rate_limited',
  rate_limit_exceeded: 'rate_limited',
  overloaded_error: 'overloaded',
  server_is_overloaded: 'overloaded',
} as const satisfies Words

/** Codes that come with many statuses. They only count without a status, inside a stream. */
export const GENERAL_WORDS = {
  api_error: 'provider_error',
  invalid_request_error: 'bad_request',
  invalid_prompt: 'bad_request',
  not_found_error: 'model_not_found',
  server_error: 'provider_error',
  timeout_error: 'timeout',
} as const satisfies Words

/** Other statuses go by their hundred; see `FAILURE_OF_HUNDRED`. */
export const FAILURE_OF_STATUS = {
  401: 'auth',
  402: 'quota',
  403: 'auth',
  404: 'model_not_found',
  408: 'timeout',
  409: 'provider_error',
  413: 'too_large',
  429: 'rate_limited',
  503: 'overloaded',
  529: 'overloaded',
} as const satisfies Readonly<Record<number, BackendFailure>>

/** Redirects are not followed, so a prompt is sent nowhere else. */
export const FAILURE_OF_HUNDRED = {
  3: 'network',
  4: 'bad_request',
  5: 'provider_error',
} as const satisfies Readonly<Record<number, BackendFailure>>

/** Codes of connections that timed out; all others are `network`. */
export const TIMEOUT_CODES: readonly string[] = [
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]
