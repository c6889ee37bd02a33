import type { Backend, Meta } from '@stagecraft/spec'
import { totalTokens } from '../edit/usage.ts'
import type { EditReport } from './edit-items.ts'

/** What `meta` of an answer tells of the backend. */
export type AnswerMeta = Omit<Meta, 'requestId' | 'timestamp'>

/** `report` is undefined where no backend was asked. */
export function answerMeta(backend: Backend | undefined, report: EditReport | undefined): AnswerMeta {
  if (!backend || !report) return { tokensUsed: 0 }
  const { isFallback, usage } = report
  return { tokensUsed: totalTokens(usage), backend: backend.id, usage, ...(isFallback && { fallback: true }) }
}
