import { BACKEND_FAILURES, BackendError, StagecraftError, type Usage, type Warning } from '@stagecraft/spec'
import type { Failure, FailureKind } from './converse.ts'
import { totalTokens } from './usage.ts'

const REASONS: Readonly<Record<FailureKind, string>> = {
  ...BACKEND_FAILURES,
  truncated: 'the answer was longer than maxOutputTokens; raise it, or lower columnsPerCall',
  refused: 'the model refused to answer',
  filtered: "the provider's filter blocked the answer",
  invalid_plan: 'the answer broke the rules, and so did its repair',
  token_limit: 'the table used up maxTokens',
  deadline: 'the table took longer than deadlineSeconds',
}

/** Returns the failure as an error, for callers without a fallback. */
export function failureError(failure: Failure, usage: Usage): StagecraftError {
  const { cause, kind, requestId, violations } = failure
  return new StagecraftError('GENERATION_FAILED', `the backend gave no usable answer: ${explain(failure)}`, {
    cause,
    details: {
      kind,
      attempts: usage.attempts,
      violations,
      tokensUsed: totalTokens(usage),
      ...(requestId !== undefined && { requestId }),
    },
  })
}

/** Returns the failure as a warning to report with the plan of the rules. */
export function failureWarning(failure: Failure): Warning {
  return {
    code: 'BACKEND_FAILED',
    message: `the backend gave no usable answer, so the rules decided everything: ${explain(failure)}`,
  }
}

/**
 * Explains a missing edit in fixed words, with the details of a failed call or the codes of an invalid answer.
 */
export function explain({ cause, kind, violations }: Pick<Failure, 'cause' | 'kind' | 'violations'>): string {
  const codes = [...new Set(violations.map(({ code }) => code))]
  const facts = cause instanceof BackendError && cause.detail !== undefined ? [cause.detail, ...codes] : codes
  return facts.length === 0 ? REASONS[kind] : `${REASONS[kind]} (${facts.join(', ')})`
}
