import { z } from '../zod.ts'
import {
  ASSISTANT_PROVIDERS,
  assistantSettingsSchema,
  conversationSchema,
  messageSchema,
  proposalSchema,
  TALK_TOOLS,
  talkMessageSchema,
} from './assistant-schemas.ts'
import { deletedSchema, listOf, nameField, pageQuery } from './fields.ts'
import type { Operation } from './operation.ts'
import { pushMessage, pushSchema } from './pushes.ts'

const BASE = '/v1/projects/{projectId}/assistant'

const messageBody = z.strictObject({
  content: z.string().trim().min(1).max(8000).describe('The question, of 1 to 8,000 characters.'),
  tools: z
    .enum(TALK_TOOLS)
    .optional()
    .describe(
      '`propose` lets tools keep proposals for a person to apply, and needs the scope `generate`. Default `read`.',
    ),
  maxTokens: z
    .int()
    .min(1000)
    .max(1_000_000)
    .optional()
    .describe('The most tokens of the answer, all calls together. Default 200000.'),
  maxSeconds: z.int().min(5).max(600).optional().describe('The time limit of the answer. Default 120.'),
  wait: z
    .boolean()
    .optional()
    .describe(
      'Answer at once with the message as it is queued, if false. Default: wait for up to 50 seconds.',
    ),
})

const applyBody = z.strictObject({
  branch: z.string().min(1).max(200).describe('The branch to push to.'),
  message: pushMessage.optional().describe('The message of the commit. Default: the title of the proposal.'),
  dryRun: z
    .boolean()
    .optional()
    .describe('Plan only: nothing is committed, and there is no event. Default false.'),
})

export const ASSISTANT_OPERATIONS = {
  getAssistantSettings: {
    method: 'GET',
    path: `${BASE}/settings`,
    scope: 'read',
    summary: 'Get the settings of the assistant, and the tokens used today',
    data: assistantSettingsSchema,
  },
  updateAssistantSettings: {
    method: 'PATCH',
    path: `${BASE}/settings`,
    scope: 'admin',
    summary: 'Choose the model of the assistant and its budget',
    description:
      'Members that are not given stay unchanged; `null` removes a member. A key belongs to its provider and address: when either changes, it is forgotten unless it is given again. Addresses have to be public and `https:`, as for webhooks.',
    body: z
      .strictObject({
        provider: z.enum(ASSISTANT_PROVIDERS).nullable().describe('The API to ask.'),
        model: z.string().trim().min(1).max(200).nullable().describe("The provider's name of the model."),
        baseUrl: z.string().trim().min(1).max(2048).nullable().describe('The address of the API.'),
        apiKey: z
          .string()
          .min(1)
          .max(4096)
          .nullable()
          .describe('The key of the API. Kept encrypted, never returned.'),
        tokensPerDay: z
          .int()
          .min(0)
          .max(1_000_000_000_000)
          .nullable()
          .describe('The most tokens of a day in UTC.'),
      })
      .partial(),
    examples: {
      model: { provider: 'anthropic', model: 'claude-haiku-5-5', apiKey: 'a key' },
      budget: { tokensPerDay: 2_000_000 },
    },
    data: assistantSettingsSchema,
  },
  createConversation: {
    method: 'POST',
    path: `${BASE}/conversations`,
    scope: 'read',
    summary: 'Begin a conversation about the dbt project',
    description:
      'It is about the dbt project in the Git repository of the project, or about the newest files of its units where there is no repository, and about the tables that its connection was last scanned for. A conversation belongs to the key that began it.',
    body: z.strictObject({ title: nameField.optional() }),
    isBodyOptional: true,
    examples: { short: {}, titled: { title: 'What tax is for' } },
    data: conversationSchema,
    status: 201,
    isCreation: true,
    location: `${BASE}/conversations/{id}`,
  },
  listConversations: {
    method: 'GET',
    path: `${BASE}/conversations`,
    scope: 'read',
    summary: 'List the conversations that the key may open',
    query: pageQuery,
    data: listOf(conversationSchema),
    isList: true,
  },
  getConversation: {
    method: 'GET',
    path: `${BASE}/conversations/{conversationId}`,
    scope: 'read',
    summary: 'Get a conversation',
    data: conversationSchema,
  },
  deleteConversation: {
    method: 'DELETE',
    path: `${BASE}/conversations/{conversationId}`,
    scope: 'read',
    summary: 'Delete a conversation with its messages; an answer under way is stopped',
    data: deletedSchema,
  },
  getTranscript: {
    method: 'GET',
    path: `${BASE}/conversations/{conversationId}/transcript`,
    scope: 'read',
    summary: 'Get all that was said in a conversation: questions, calls of tools, results, answers',
    description:
      'One JSON object a line, without secrets. `stagecraft ask --replay` plays it on a checkout of the project.',
    media: 'application/jsonl',
  },
  createMessage: {
    method: 'POST',
    path: `${BASE}/conversations/{conversationId}/messages`,
    scope: 'read',
    summary: 'Ask a question',
    description:
      'Answers with the message once it has ended, or after 50 seconds as it is then, with status 202: get it again, or follow its events. With `Accept: text/event-stream` the answer is the events of the message, as of `getMessageEvents`. Messages of a conversation are answered one after the other, and of a project at most eight wait or run. The answer goes on when the client disconnects. `meta.tokensUsed` counts the tokens of an answer that was waited for.',
    body: messageBody,
    examples: {
      short: { content: 'What breaks if shop.orders.tax is dropped?' },
      bounded: { content: 'Describe stg_orders', tools: 'propose', maxTokens: 50_000 },
    },
    data: messageSchema,
    status: 202,
    otherStatus: { status: 200, when: 'The message has ended.' },
    isCreation: true,
    location: `${BASE}/conversations/{conversationId}/messages/{id}`,
    stream: 'getMessageEvents',
  },
  listMessages: {
    method: 'GET',
    path: `${BASE}/conversations/{conversationId}/messages`,
    scope: 'read',
    summary: 'List the messages of a conversation, the newest first',
    query: pageQuery,
    data: listOf(messageSchema),
    isList: true,
  },
  getMessage: {
    method: 'GET',
    path: `${BASE}/conversations/{conversationId}/messages/{messageId}`,
    scope: 'read',
    summary: 'Get a message with its answer',
    data: messageSchema,
  },
  getMessageEvents: {
    method: 'GET',
    path: `${BASE}/conversations/{conversationId}/messages/{messageId}/events`,
    scope: 'read',
    summary: 'Follow an answer as server-sent events',
    description:
      'From any process, also after its end. `Last-Event-ID` goes on behind an event. `event` of each message is one of `message.started`, `text.delta` with whole lines as the model wrote them, `text.reset` when they were no answer, `tool.started`, `tool.finished`, `proposal`, `usage`, and at the end `message.completed` with the success envelope of the message or `error` with the error envelope. After `message.started` a client forgets the text before it: another process may begin anew. A comment comes every 15 seconds.',
    media: 'text/event-stream',
    message: talkMessageSchema,
    lastEvents: ['message.completed', 'error'],
  },
  cancelMessage: {
    method: 'POST',
    path: `${BASE}/conversations/{conversationId}/messages/{messageId}/cancel`,
    scope: 'read',
    summary: 'Stop an answer that has not ended',
    data: messageSchema,
  },
  retryMessage: {
    method: 'POST',
    path: `${BASE}/conversations/{conversationId}/messages/{messageId}/retry`,
    scope: 'read',
    summary: 'Ask the question of a failed or cancelled message again',
    description: 'Only the last message of a conversation can be asked again.',
    data: messageSchema,
    status: 202,
  },
  listProposals: {
    method: 'GET',
    path: `${BASE}/proposals`,
    scope: 'read',
    summary: 'List proposals that the key may open',
    query: pageQuery,
    data: listOf(proposalSchema),
    isList: true,
  },
  getProposal: {
    method: 'GET',
    path: `${BASE}/proposals/{proposalId}`,
    scope: 'read',
    summary: 'Get a proposal with its diff',
    data: proposalSchema,
  },
  discardProposal: {
    method: 'DELETE',
    path: `${BASE}/proposals/{proposalId}`,
    scope: 'generate',
    summary: 'Discard a proposal; what was pushed of it stays',
    data: deletedSchema,
  },
  getProjectFile: {
    method: 'GET',
    path: `${BASE}/files/{path*}`,
    scope: 'read',
    summary: 'Get the text of a file that the assistant reads',
    description:
      'By its path in the dbt project, as citations have it: as the branch has it now or, without a repository, as it was generated last. Hidden files, profiles, keys and what dbt built are not found, as they are not for the assistant; secrets in the text are `***`. At most 2 MB.',
    media: 'text/plain; charset=utf-8',
    failures: ['CONNECTION_FAILED'],
  },
  applyProposal: {
    method: 'POST',
    path: `${BASE}/proposals/{proposalId}/apply`,
    scope: 'write',
    summary: 'Push a proposal to the Git repository, as a job',
    description:
      'The answer is a push, as of units. A new branch begins from the one that was read. A file that is another by then is refused with `details.reason` `files_changed`: ask for the proposal anew.',
    body: applyBody,
    examples: { short: { branch: 'describe-orders' }, plan: { branch: 'describe-orders', dryRun: true } },
    data: pushSchema,
    status: 202,
    isCreation: true,
    location: '/v1/projects/{projectId}/pushes/{id}',
  },
} as const satisfies Record<string, Operation>
