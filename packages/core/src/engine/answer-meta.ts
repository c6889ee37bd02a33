import type { Backend, Meta } from '@stagecraft/spec'
import { totalTokens } from '../edit/usage.ts'
import type { EditReport } from '../run/ask-backend.ts'

/** The part of an answer's `meta` about the backend. */
export type AnswerMeta = Omit<Meta, 'requestId' | 'timestamp'>

/** Returns the part about the backend; `report` is undefined if no backend was called. */
export function answerMeta(backend: Backend | undefined, report: EditReport | undefined): AnswerMeta {
  if (!backend || !report) return { tokensUsed: 0 }
  const { from, usage } = report
  return {
    tokensUsed: totalTokens(usage),
    backend: backend.id,
    usage,
    ...(from === 'cache' && { cached: true }),
    ...(from === 'rules' && { fallback: true }),
  }
}
