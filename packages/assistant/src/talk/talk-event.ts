import type { Usage } from '@stagecraft/spec'

/** The news of an answer that is being made. */
export type TalkEvent =
  | { readonly type: 'text.delta'; readonly text: string }
  /** The text so far was no answer: the model goes on to look things up. */
  | { readonly type: 'text.reset' }
  | {
      readonly type: 'tool.started'
      readonly call: string
      readonly name: string
      readonly input: unknown
    }
  | {
      readonly type: 'tool.finished'
      readonly call: string
      readonly name: string
      readonly ok: boolean
      readonly summary: string
      readonly bytes: number
    }
  | { readonly type: 'proposal'; readonly id: string; readonly files: readonly string[] }
  /** All that the answer has cost so far. */
  | { readonly type: 'usage'; readonly usage: Usage }
