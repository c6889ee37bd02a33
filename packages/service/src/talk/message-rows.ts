import type { Answer } from '@stagecraft/assistant'
import { type Usage, StagecraftError } from '@stagecraft/spec'
import type { Caller, MessageResource, TalkAnswer } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { jobMembers } from '../resources/job-members.ts'
import { fromJson } from '../store/rows.ts'
import type { Database } from '../store/schema.ts'
import type { MessageRow } from '../store/talk-rows.ts'
import { openConversation } from './conversation-handlers.ts'

/** The options of a message besides its question. */
export interface MessageOptions {
  readonly tools: 'read' | 'propose'
  readonly maxTokens?: number
  readonly maxSeconds?: number
}

/** A stored answer. */
export interface StoredAnswer extends TalkAnswer {
  readonly question: string
}

export function optionsOf({ options }: Pick<MessageRow, 'options'>): MessageOptions {
  return fromJson(options) as MessageOptions
}

export function usageOf({ usage }: Pick<MessageRow, 'usage'>): Usage {
  return fromJson(usage) as Usage
}

export function storedAnswer(answer: Answer, commit: string | undefined): StoredAnswer {
  const { backend, calls, citations, droppedCitations, fallback, proposals, question, stoppedBy, text } =
    answer
  return {
    question,
    text,
    citations: [...citations],
    proposals: [...proposals],
    unknown: [...answer.unknown],
    droppedCitations,
    unproven: answer.unproven,
    answeredBy: answer.answeredBy,
    ...(backend !== undefined && { backend }),
    ...(fallback !== undefined && { fallback }),
    ...(stoppedBy !== undefined && { stoppedBy }),
    calls,
    ...(commit !== undefined && { commit }),
  }
}

export function answerOf({ answer }: Pick<MessageRow, 'answer'>): StoredAnswer | undefined {
  return answer === null ? undefined : (fromJson(answer) as StoredAnswer)
}

export function toMessage(row: MessageRow): MessageResource {
  const stored = answerOf(row)
  const usage = usageOf(row)
  const { question: _, ...answer } = stored ?? { question: '' }
  return {
    id: row.id,
    conversationId: row.conversation_id,
    content: row.content,
    tools: optionsOf(row).tools,
    ...jobMembers(row),
    ...(stored && row.state === 'completed' && { answer: answer as TalkAnswer }),
    usage,
    tokensUsed: usage.input + usage.output,
  }
}

interface MessageParams {
  readonly conversationId: string
  readonly messageId: string
}

/**
 * Reads a message of a conversation that the key may open.
 *
 * @throws {StagecraftError} NOT_FOUND
 */
export async function openMessage(
  db: Kysely<Database>,
  caller: Caller,
  { conversationId, messageId }: MessageParams,
): Promise<MessageRow> {
  await openConversation(db, caller, conversationId)
  const row = await db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', messageId)
    .where('conversation_id', '=', conversationId)
    .executeTakeFirst()
  if (row) return row
  throw StagecraftError.unknownId('message', messageId)
}
