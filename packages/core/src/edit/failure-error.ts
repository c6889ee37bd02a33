import { BACKEND_FAILURES, StagecraftError, type Usage, type Warning } from '@stagecraft/spec'
import type { Failure, FailureKind } from './converse.ts'
import { totalTokens } from './usage.ts'

const REASONS: Readonly<Record<FailureKind, string>> = {
  ...BACKEND_FAILURES,
  truncated: 'the answer was longer than maxOutputTokens; raise it, or lower columnsPerCall',
  refused: 'the model refused to answer',
  filtered: "the provider's filter held the answer back",
  invalid_plan: 'the answer broke the rules, also when it was asked again',
  token_limit: 'the table has cost maxTokens',
  deadline: 'the table took longer than deadlineSeconds',
}

/** Failures that the next table would meet as well. */
const LASTING: ReadonlySet<FailureKind> = new Set(['auth', 'quota', 'model_not_found'])

export function isLasting({ kind }: Failure): boolean {
  return LASTING.has(kind)
}

/** The failure as an error for whoever wants no other answer. */
export function failureError({ cause, kind, requestId, violations }: Failure, usage: Usage): StagecraftError {
  return new StagecraftError(
    'GENERATION_FAILED',
    `the backend gave no usable answer: ${explain(kind, violations)}`,
    {
      cause,
      details: {
        kind,
        attempts: usage.attempts,
        violations,
        tokensUsed: totalTokens(usage),
        ...(requestId !== undefined && { requestId }),
      },
    },
  )
}

/** The failure as a warning beside the plan of the rules. */
export function failureWarning({ kind, violations }: Failure): Warning {
  return {
    code: 'BACKEND_FAILED',
    message: `the backend gave no usable answer, so this is the plan of the rules: ${explain(kind, violations)}`,
  }
}

function explain(kind: FailureKind, violations: Failure['violations']): string {
  const codes = [...new Set(violations.map(({ code }) => code))]
  return codes.length === 0 ? REASONS[kind] : `${REASONS[kind]} (${codes.join(', ')})`
}
