import { ERROR_CODES, type ErrorCode } from '@stagecraft/spec'
import { STATUS_CODES } from '../answers/answer.ts'
import { errorExample } from './examples.ts'
import { type HeaderName, headerReferences, RATE_HEADERS } from './headers.ts'
import { reference } from './schemas.ts'
import type { DocumentedAnswer } from './types.ts'

const CONDITIONS = {
  UNAUTHORIZED: 'Invalid or missing API key.',
  FORBIDDEN: 'The key lacks the scope.',
  NOT_FOUND: 'There is no such path or resource, or the path does not accept the method.',
  RATE_LIMITED: 'Too many requests.',
  INVALID_REQUEST: 'The request is malformed; `details.faults` lists everything that is wrong.',
  INVALID_SOURCE: 'The source was not found; `details.suggestion` has a hint.',
  GENERATION_FAILED: 'The generation failed.',
  CONNECTION_FAILED: 'The warehouse, the Git remote or the store cannot be used.',
} satisfies Record<ErrorCode, string>

type Answers = Readonly<Record<string, DocumentedAnswer>>

/** Documents the failures: one response per status, because two codes share 400. */
export function failures(codes: readonly ErrorCode[]): Answers {
  return Object.fromEntries(groups(codes).map((group) => [statusOf(group), failureAnswer(group)]))
}

/** Documents the failures by reference to `failureComponents`. */
export function failureReferences(codes: readonly ErrorCode[]): Answers {
  return Object.fromEntries(
    groups(codes).map((group) => [statusOf(group), { $ref: `#/components/responses/${nameOf(group)}` }]),
  )
}

/** Documents every failure, alone and together with the others of its status. */
export function failureComponents(): Answers {
  const shared = groups(ERROR_CODES).filter((group) => group.length > 1)
  const all = [...ERROR_CODES.map((code) => [code]), ...shared]
  return Object.fromEntries(all.map((group) => [nameOf(group), failureAnswer(group)]))
}

function groups(codes: readonly ErrorCode[]): readonly (readonly ErrorCode[])[] {
  const sorted = ERROR_CODES.filter((code) => codes.includes(code))
  return [...Map.groupBy(sorted, (code) => STATUS_CODES[code]).values()]
}

function statusOf([code = 'GENERATION_FAILED']: readonly ErrorCode[]): string {
  return String(STATUS_CODES[code])
}

function nameOf(group: readonly ErrorCode[]): string {
  return group.join('-')
}

const SPECIAL: Readonly<Partial<Record<ErrorCode, readonly HeaderName[]>>> = {
  UNAUTHORIZED: ['www-authenticate'],
  FORBIDDEN: ['www-authenticate'],
  RATE_LIMITED: ['retry-after', ...RATE_HEADERS],
}

function failureAnswer(codes: readonly ErrorCode[]): DocumentedAnswer {
  return {
    description: codes.map((code) => `\`${code}\`: ${CONDITIONS[code]}`).join(' '),
    headers: headerReferences('x-request-id', ...codes.flatMap((code) => SPECIAL[code] ?? [])),
    content: {
      'application/json': {
        schema: reference('ErrorEnvelope'),
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
      },
    },
  }
}
