import { redactSecrets } from '@stagecraft/spec'
import type { ApiHandlers } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { fromJson } from '../store/rows.ts'
import {
  createConversation,
  deleteConversation,
  getConversation,
  listConversations,
  openConversation,
} from './conversation-handlers.ts'
import { getMessageEvents } from './message-events.ts'
import { cancelMessage, createMessage, getMessage, listMessages, retryMessage } from './message-handlers.ts'
import { projectFileHandler } from './project-file.ts'
import { applyProposal, discardProposal, getProposal, listProposals } from './proposals.ts'
import { getAssistantSettings, updateAssistantSettings } from './settings.ts'

type TalkHandlers = Pick<
  ApiHandlers,
  | 'getAssistantSettings'
  | 'updateAssistantSettings'
  | 'createConversation'
  | 'listConversations'
  | 'getConversation'
  | 'deleteConversation'
  | 'getTranscript'
  | 'createMessage'
  | 'listMessages'
  | 'getMessage'
  | 'getMessageEvents'
  | 'cancelMessage'
  | 'retryMessage'
  | 'listProposals'
  | 'getProposal'
  | 'applyProposal'
  | 'discardProposal'
  | 'getProjectFile'
>

/** The operations on conversations with the assistant. */
export function talkHandlers(context: ServiceContext): TalkHandlers {
  return {
    getAssistantSettings: (call) => getAssistantSettings(context, call),
    updateAssistantSettings: (call) => updateAssistantSettings(context, call),
    createConversation: (call) => createConversation(context, call),
    listConversations: (call) => listConversations(context, call),
    getConversation: (call) => getConversation(context, call),
    deleteConversation: (call) => deleteConversation(context, call),
    getTranscript: (call) => getTranscript(context, call),
    createMessage: (call) => createMessage(context, call),
    listMessages: (call) => listMessages(context, call),
    getMessage: (call) => getMessage(context, call),
    getMessageEvents: (call) => getMessageEvents(context, call),
    cancelMessage: (call) => cancelMessage(context, call),
    retryMessage: (call) => retryMessage(context, call),
    listProposals: (call) => listProposals(context, call),
    getProposal: (call) => getProposal(context, call),
    applyProposal: (call) => applyProposal(context, call),
    discardProposal: (call) => discardProposal(context, call),
    getProjectFile: projectFileHandler(context),
  }
}

/** The lines of all messages, with the opening of the conversation once. */
async function getTranscript(
  { store }: ServiceContext,
  { caller, params: { conversationId } }: CallOf<'getTranscript'>,
): ReplyOf<'getTranscript'> {
  await openConversation(store.db, caller, conversationId)
  const rows = await store.db
    .selectFrom('message_events')
    .innerJoin('messages', 'messages.id', 'message_events.message_id')
    .select('message_events.data')
    .where('messages.conversation_id', '=', conversationId)
    .where('message_events.type', '=', 'transcript')
    .orderBy('messages.created_at')
    .orderBy('messages.id')
    .orderBy('message_events.number')
    .execute()
  const lines = rows.map(({ data }) => (fromJson(data) as { readonly line: string }).line)
  const text = lines
    .filter((line, index) => index === 0 || !line.startsWith('{"type":"conversation"'))
    .join('')
  return { bytes: new TextEncoder().encode(redactSecrets(text)), fileName: `${conversationId}.jsonl` }
}
