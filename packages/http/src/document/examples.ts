import type { ErrorCode, ErrorEnvelope, GenerationRequest } from '@stagecraft/spec'

/** Requests that a service over a catalog with `raw.stripe.payments` accepts. */
export const REQUEST_EXAMPLES: Readonly<Record<string, { summary: string; value: GenerationRequest }>> = {
  short: {
    summary: 'A staging model only',
    value: { type: 'staging', source: 'raw.stripe.payments' },
  },
  whole: {
    summary: 'With tests and documentation',
    value: {
      type: 'staging',
      source: 'raw.stripe.payments',
      options: { addTests: true, addDocs: true },
    },
  },
  options: {
    summary: 'With further options',
    value: {
      type: 'staging',
      source: 'raw.stripe.payments',
      options: { addTests: true, casts: 'full', dataTypes: true, materialized: 'table' },
    },
  },
}

export const REQUEST_ID = 'req_0mfx3k9p17c2a94be5d0f8a3b2'

type ErrorBody = Omit<ErrorEnvelope['error'], 'code'>

/** An answer for each error code. */
const ERRORS = {
  UNAUTHORIZED: { message: 'expected a valid key in the header "Authorization: Bearer <key>"' },
  FORBIDDEN: { message: 'the key lacks the scope "generate"', details: { scope: 'generate' } },
  NOT_FOUND: { message: 'no such path: /generat; /openapi.json lists all paths' },
  RATE_LIMITED: {
    message: 'too many requests; try again in 3 s',
    details: { suggestion: 'try again in 3 s' },
  },
  INVALID_REQUEST: {
    message: 'the request is not valid: options.addTests: expected true or false, got "yes"',
    details: { faults: [{ path: 'options.addTests', expected: 'true or false', received: '"yes"' }] },
  },
  INVALID_SOURCE: {
    message: 'source stripe.paymets: no table paymets in the schema stripe; did you mean payments?',
    details: { suggestion: 'did you mean payments?' },
  },
  GENERATION_FAILED: {
    message: 'the generation was stopped: not done within 30 s',
    details: { reason: 'not done within 30 s' },
  },
  CONNECTION_FAILED: {
    message: 'the warehouse cannot be read: connection refused',
    details: { reason: 'connection refused' },
  },
} satisfies Record<ErrorCode, ErrorBody>

export function errorExample(code: ErrorCode): ErrorEnvelope {
  return { success: false, error: { code, ...ERRORS[code] }, meta: { requestId: REQUEST_ID } }
}

export const SUCCESS_EXAMPLE = {
  success: true,
  data: {
    code: "with\n\nsource as (\n\n    select * from {{ source('stripe', 'payments') }}\n\n),\n…",
    schema: 'version: 2\n\nmodels:\n  - name: stg_stripe__payments\n…',
    tests: ['not_null', 'unique'],
    warnings: [],
    files: [
      {
        path: 'models/staging/stripe/stg_stripe__payments.sql',
        content: 'with\n…',
        covers: ['stg_stripe__payments'],
      },
    ],
  },
  meta: { requestId: REQUEST_ID, timestamp: '2026-11-21T09:30:00.000Z', tokensUsed: 0 },
}
