import type { BackendName } from '@stagecraft/spec'
import type { ViewFlags } from '../project/open-view.ts'

/** The options of `stagecraft ask`. */
export interface AskFlags extends ViewFlags {
  readonly json?: boolean
  readonly backend?: BackendName
  /** False for `--no-model`: rules compute the answer. */
  readonly model?: string | false
  readonly baseUrl?: string
  readonly maxTokens?: number
  readonly maxSeconds?: number
  readonly maxCost?: number
  /** The prices of a million tokens, input and output: `1/5`. */
  readonly prices?: string
  /** Continues the newest conversation of the project. */
  readonly followUp?: boolean
  /** Continues this conversation. */
  readonly conversation?: string
  /** The file of the transcript; false for none. */
  readonly transcript?: string | false
  /** A transcript to replay. */
  readonly replay?: string
}
