import type { Usage } from '@stagecraft/spec'
import type { ComputedAnswer } from '../ask/ask.ts'
import type { StoppedBy } from './limits.ts'

/** A place that proves a statement of an answer. It was named by a tool result and still exists. */
export interface Citation {
  /** The mark in the text: `[1]`. */
  readonly mark: number
  /** Relative to the dbt project. */
  readonly file: string
  readonly line: number
  /** The last line, of several. @default line */
  readonly endLine?: number | undefined
  /** The text of the first line. */
  readonly text: string
}

/** The answer to a question about a project. */
export interface Answer {
  readonly question: string
  /** Markdown with citation marks. `[?]` follows a sentence that needs a citation and has none. */
  readonly text: string
  readonly citations: readonly Citation[]
  /** Ids of proposals made meanwhile. */
  readonly proposals: readonly string[]
  /** Unknown facts, each with the reason. */
  readonly unknown: readonly string[]
  /** Removed citations: no tool result named the place, or its lines no longer exist. */
  readonly droppedCitations: number
  /** Sentences with `[?]`. */
  readonly unproven: number
  /** `rules` where the answer was computed without a language model. */
  readonly answeredBy: 'model' | 'rules'
  /** The backend that was asked. @default none */
  readonly backend?: string
  /** The reason why the rules answered in place of a model. @default none */
  readonly fallback?: string
  /** The bound that ended the search. @default none */
  readonly stoppedBy?: StoppedBy
  readonly usage: Usage
  /** Calls of tools. */
  readonly calls: number
  /** The computed answer with all its items. @default none: a model answered */
  readonly computed?: ComputedAnswer
}
