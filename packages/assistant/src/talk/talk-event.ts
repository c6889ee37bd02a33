import type { Usage } from '@stagecraft/spec'

/** An event during an answer. */
export type TalkEvent =
  | { readonly type: 'text.delta'; readonly text: string }
  /** The text so far was not the answer: the model calls more tools. */
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
  /** The tokens used so far. */
  | { readonly type: 'usage'; readonly usage: Usage }
