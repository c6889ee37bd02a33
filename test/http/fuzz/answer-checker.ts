import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { STATUS_CODES } from '@stagecraft/http'
import type { ErrorCode } from '@stagecraft/spec'
import { answerOf, type FuzzDocument, type Route } from './document.ts'
import { SECRET } from './values.ts'

interface FuzzResult {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export type ExpectDocumented = (answer: FuzzResult, route: Route) => void

interface FailureBody {
  readonly error: { readonly code: ErrorCode; readonly message: string }
  readonly meta: { readonly requestId: string }
}

/** Holds every answer against the document that the service itself gives. */
export function answerChecker(document: FuzzDocument): ExpectDocumented {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: {
      date: /^\d{4}-\d\d-\d\d$/,
      'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
    },
  })
  ajv.addSchema({ $id: 'service', ...document })
  const validators = new Map<object, ValidateFunction>()
  const validatorOf = (schema: object): ValidateFunction => {
    const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"service#/')) as object
    const validator = validators.get(schema) ?? ajv.compile(local)
    validators.set(schema, validator)
    return validator
  }
  return ({ headers, status, text }, route) => {
    const documented = answerOf(route, status, document)
    expect(documented, `${route.operationId}: status ${status} is not documented: ${text}`).toBeDefined()
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9A-Za-z]+$/)
    expect(text.includes(SECRET), `a secret in ${text}`).toBe(false)
    if (status === 304) return expect(text).toBe('')
    const [media = '', { schema } = {}] = Object.entries(documented?.content ?? {})[0] ?? []
    expect(headers.get('content-type')?.split(';')[0]).toBe(media.split(';')[0])
    if (!media.startsWith('application/json') || !schema) return
    const body = JSON.parse(text) as FailureBody
    const validator = validatorOf(schema)
    expect(validator(body), `${route.operationId}: ${ajv.errorsText(validator.errors)} in ${text}`).toBe(true)
    expectSameId(body, headers)
    if (status >= 400) expectKnownFailure(body, status)
  }
}

/** An answer that is given again has the id of the first request, in both places. */
function expectSameId({ meta }: FailureBody, headers: Headers): void {
  expect(headers.get('x-request-id')).toBe(meta.requestId)
}

/** A failure that somebody thought of; what nobody did is GENERATION_FAILED too, with words of its own. */
function expectKnownFailure({ error: { code, message } }: FailureBody, status: number): void {
  expect(STATUS_CODES[code]).toBe(status)
  expect(message).not.toContain('failed unexpectedly')
}
