import type { JobColumns } from './job-columns.ts'

/** The language model of a project's assistant. */
export interface AssistantSettingsRow {
  project_id: string
  provider: string | null
  model: string | null
  base_url: string | null
  /** Encrypted. */
  api_key: string | null
  tokens_per_day: number | null
}

/** The tokens used for answers on a day, including deleted conversations. */
export interface AssistantUsageRow {
  project_id: string
  /** Days since 1970, in UTC. */
  day: number
  tokens: number
}

export interface ConversationRow {
  id: string
  project_id: string
  /** The key that started it. */
  key_id: string
  title: string | null
  messages: number
  created_at: number
  updated_at: number
}

/** A question and the state of its answer. */
export interface MessageRow extends JobColumns {
  conversation_id: string
  key_id: string
  content: string
  /** JSON of tools and limits. */
  options: string
  /** JSON of the answer. */
  answer: string | null
  /** JSON list of the lines that the conversation has cited or read by then. */
  seen: string | null
  /** JSON of the tokens used so far. */
  usage: string
}

/** An event of a running answer. */
export interface MessageEventRow {
  message_id: string
  /** From 1. */
  number: number
  /** `transcript` is a line of the transcript, which streams leave out. */
  type: string
  /** JSON. */
  data: string
}

/** A proposed change that waits for a decision. */
export interface ProposalRow {
  id: string
  project_id: string
  key_id: string
  conversation_id: string | null
  message_id: string | null
  kind: string
  title: string
  /** JSON list of path, before and after. */
  files: string
  /** JSON list of the tables of a model, which is planned again; null for files that are written as they are. */
  items: string | null
  evidence: string
  notes: string
  /** The folder of the dbt project in the repository. */
  folder: string
  push_id: string | null
  created_at: number
  expires_at: number
}
