import type { Usage } from '@stagecraft/spec'
import type { ComputedAnswer } from '../ask/ask.ts'
import type { StoppedBy } from './limits.ts'

/** A place that proves what an answer says. The program has checked that a tool result named it and that it is still there. */
export interface Citation {
  /** As it stands in the text: `[1]`. */
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
  /** Markdown with marks of citations. `[?]` stands behind a sentence that needs a citation and has none. */
  readonly text: string
  readonly citations: readonly Citation[]
  /** Ids of proposals that were made on the way. */
  readonly proposals: readonly string[]
  /** Things that are not known, each with the reason. */
  readonly unknown: readonly string[]
  /** Citations that were taken out, because no tool result named the place, or its lines are gone. */
  readonly droppedCitations: number
  /** Sentences with `[?]`. */
  readonly unproven: number
  /** `rules` where the answer was computed without a language model. */
  readonly answeredBy: 'model' | 'rules'
  /** The backend that was asked. @default none */
  readonly backend?: string
  /** The reason why the rules answered although a model was to. @default there is none */
  readonly fallback?: string
  /** The bound that ended the search. @default none */
  readonly stoppedBy?: StoppedBy
  readonly usage: Usage
  /** Calls of tools. */
  readonly calls: number
  /** The computed answer with all its items. @default a model answered */
  readonly computed?: ComputedAnswer
}
