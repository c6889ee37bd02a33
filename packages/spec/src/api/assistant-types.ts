// Made from the schemas of this package by test/types/print-types.ts: change those and run
// `UPDATE_GOLDEN=1 npm test -- test/types`. The types are written out because the declarations of inferred
// types lose their comments, which editors show.

import type { TalkEventKind } from './assistant-schemas.ts'
import type { JobState } from './fields.ts'
import type { JobFailure } from './types.ts'

/** The model of the assistant of a project, and its budget. */
export interface AssistantSettings {
  /** The API to ask. Default: the model of the service, if it has one. */
  provider?: 'anthropic' | 'openai' | 'openai-compatible' | undefined
  /** The provider's name of the model. Default: that of the provider. */
  model?: string | undefined
  /** The address of the API. Default: the provider's own. */
  baseUrl?: string | undefined
  /** True if a key is stored. */
  hasKey: boolean
  /** The maximum number of tokens for the answers of one day (UTC), over all keys. Default: no limit. */
  tokensPerDay?: number | undefined
  /** The tokens that answers have used today. */
  tokensToday: number
  /** The model that answers: `anthropic:claude-haiku-5-5`. Absent if only rules answer. */
  backend?: string | undefined
}

/** A conversation about a project. */
export interface ConversationResource {
  /** The id of a conversation. */
  id: string
  /** A name for people. */
  title?: string | undefined
  /** The key that started it. Only this key, and keys with the scope `admin`, can open it. */
  keyId: string
  /** The number of its messages. */
  messages: number
  /** ISO 8601 in UTC. */
  createdAt: string
  /** The time of its last message. */
  updatedAt: string
}

/** A place that proves a statement of an answer. */
export interface CitationRecord {
  /** The number in the text: `[1]`. */
  mark: number
  /** Relative to the dbt project. */
  file: string
  /** From 1. */
  line: number
  /** The last line, if there are several. Default: `line`. */
  endLine?: number | undefined
  /** The text of the first line, without secrets, of at most 300 characters. */
  text: string
}

/** The answer to a question. */
export interface TalkAnswer {
  /**
   * Markdown without links, pictures and HTML. `[1]` is a citation; `[?]` marks a sentence that claims
   * something without a citation.
   */
  text: string
  /** Places that a tool result of the conversation named and that exist, as it named them. */
  citations: CitationRecord[]
  /** Proposals that were made for the answer. */
  proposals: string[]
  /** Facts that could not be determined, with reasons. */
  unknown: string[]
  /** Citations of the model that were removed, because no tool result proves them. */
  droppedCitations: number
  /** Sentences with `[?]`. */
  unproven: number
  /** `rules` if the answer was computed without a language model. */
  answeredBy: 'model' | 'rules'
  /** The model that was asked. */
  backend?: string | undefined
  /** The reason why the rules answered although a model was asked. */
  fallback?: string | undefined
  /** The limit that ended the search. */
  stoppedBy?: 'turns' | 'calls' | 'tokens' | 'seconds' | 'cost' | undefined
  /** Calls of tools. */
  calls: number
  /** The commit of the repository that was read. */
  commit?: string | undefined
}

/** The tokens of an answer. */
export interface TalkUsage {
  /** Tokens read, cached or not. */
  input: number
  /** The part of them that came from the provider's cache. */
  cacheRead: number
  /** The part of them that was written to it. */
  cacheWrite: number
  /** Tokens written, reasoning included. */
  output: number
  /** The part of them that was used for reasoning. */
  reasoning: number
  /** Calls of the model. */
  attempts: number
  /** True if a call ended without reporting its tokens. */
  incomplete: boolean
}

/** One event of a running answer. */
export interface TalkMessage {
  /** The kind of event. */
  event: TalkEventKind
  /** The data of the event, by its kind. */
  data?: Record<string, unknown> | undefined
  /** In the last event: the success envelope of the message, or the error envelope. */
  envelope?: Record<string, unknown> | undefined
}

/** A question, and its answer once there is one. */
export interface MessageResource {
  /** The id of a message. */
  id: string
  /** The id of a conversation. */
  conversationId: string
  /** The question. */
  content: string
  /** `propose` also allows tools that store proposals. */
  tools: 'read' | 'propose'
  /** `queued` and `running` jobs change automatically; all other states are final. */
  state: JobState
  /** Present if it failed. */
  error?: JobFailure | undefined
  /** ISO 8601 in UTC. */
  createdAt: string
  /** ISO 8601 in UTC. */
  startedAt?: string | undefined
  /** ISO 8601 in UTC. */
  finishedAt?: string | undefined
  /** Present if it is completed. */
  answer?: TalkAnswer | undefined
  /** The tokens used so far, including retries. */
  usage: TalkUsage
  /** Tokens read and written. */
  tokensUsed: number
}

/** A file that a proposal changes. */
export interface ProposedFileRecord {
  /** Relative to the dbt project. */
  path: string
  /** The change of the file. */
  change: 'create' | 'update' | 'remove'
  /** SHA-256 of the text that the change was made from. Absent for a new file. */
  baseSha256?: string | undefined
  /** A unified diff. */
  diff: string
}

/** A change that waits for a person to apply it. */
export interface ProposalResource {
  /** The id of a proposal. */
  id: string
  /** `model`, `fix` or `yaml`. */
  kind: string
  /** A title of one line. */
  title: string
  /**
   * `applying`: it is being pushed; if that fails, it is `open` again. `applied`: it was pushed. `expired`:
   * it can no longer be applied.
   */
  state: 'open' | 'applying' | 'applied' | 'expired'
  /** The conversation that it came from, if it still exists. */
  conversationId?: string | undefined
  /** The message that it came from, if it still exists. */
  messageId?: string | undefined
  /** The files that it changes. */
  files: ProposedFileRecord[]
  /** The evidence for the change. */
  evidence: string[]
  /** Parts that were left out, with reasons. */
  notes: string[]
  /** Its last push. */
  pushId?: string | undefined
  /** ISO 8601 in UTC. */
  createdAt: string
  /** ISO 8601 in UTC. */
  expiresAt: string
}
