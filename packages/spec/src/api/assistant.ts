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
      '`propose` lets tools store proposals, which a person can apply; it needs the scope `generate`. Default `read`.',
    ),
  maxTokens: z
    .int()
    .min(1000)
    .max(1_000_000)
    .optional()
    .describe('The maximum number of tokens for the answer, over all calls. Default 200000.'),
  maxSeconds: z.int().min(5).max(600).optional().describe('The time limit of the answer. Default 120.'),
  wait: z
    .boolean()
    .optional()
    .describe('If false, returns the queued message at once. Default: waits for up to 50 seconds.'),
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
      'Omitted members stay unchanged; `null` removes a member. A key belongs to its provider and address: if either changes, the key is deleted unless the request contains it again. Addresses must be public and use `https:`, as for webhooks.',
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
          .describe('The key of the API. Stored encrypted, never returned.'),
        tokensPerDay: z
          .int()
          .min(0)
          .max(1_000_000_000_000)
          .nullable()
          .describe('The maximum number of tokens per day (UTC).'),
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
    summary: 'Start a conversation about the dbt project',
    description:
      'The assistant reads the dbt project in the Git repository or, without a repository, the newest files of the units. It also knows the tables of the last scan. A conversation belongs to the key that started it.',
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
    summary: 'List the conversations that the key can open',
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
    summary: 'Delete a conversation with its messages; an answer in progress is stopped',
    data: deletedSchema,
  },
  getTranscript: {
    method: 'GET',
    path: `${BASE}/conversations/{conversationId}/transcript`,
    scope: 'read',
    summary: 'Get the transcript of a conversation: questions, tool calls, results, answers',
    description:
      'One JSON object per line, without secrets. `stagecraft ask --replay` replays it on a checkout of the project.',
    media: 'application/jsonl',
  },
  createMessage: {
    method: 'POST',
    path: `${BASE}/conversations/{conversationId}/messages`,
    scope: 'read',
    summary: 'Ask a question',
    description:
      'Returns the message once it has ended. After 50 seconds it returns the unfinished message with status 202: get it again later, or follow its events. With `Accept: text/event-stream` it returns the events of the message, as `getMessageEvents` does. Messages of a conversation are answered one after the other; a project can have at most eight queued or running. The work continues if the client disconnects. `meta.tokensUsed` counts the tokens of a finished answer.',
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
    summary: 'List the messages of a conversation, newest first',
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
      'Every process can send them, also after the message has ended. `Last-Event-ID` resumes after an event. `event` of each message is one of `message.started`, `text.delta` with whole lines as the model wrote them, `text.reset` if those lines were not the answer, `tool.started`, `tool.finished`, `proposal`, `usage`, and at the end `message.completed` with the success envelope of the message, or `error` with the error envelope. After `message.started`, discard the earlier text, because another process may have started over. A comment is sent every 15 seconds.',
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
    summary: 'List the proposals that the key can open',
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
    summary: 'Discard a proposal; files that were pushed stay',
    data: deletedSchema,
  },
  getProjectFile: {
    method: 'GET',
    path: `${BASE}/files/{path*}`,
    scope: 'read',
    summary: 'Get the text of a file that the assistant reads',
    description:
      'The path is relative to the dbt project, as in citations. The text comes from the current branch or, without a repository, from the newest generation. Hidden files, profiles, keys and files that dbt built are not found, because the assistant does not read them either. Secrets in the text are `***`. At most 2 MB.',
    media: 'text/plain; charset=utf-8',
    failures: ['CONNECTION_FAILED'],
  },
  applyProposal: {
    method: 'POST',
    path: `${BASE}/proposals/{proposalId}/apply`,
    scope: 'write',
    summary: 'Push a proposal to the Git repository, as a job',
    description:
      'The answer is a push, as for units. A new branch starts from the one that was read. If a file has changed since, the proposal is refused with `details.reason` `files_changed`: ask for a new one.',
    body: applyBody,
    examples: { short: { branch: 'describe-orders' }, plan: { branch: 'describe-orders', dryRun: true } },
    data: pushSchema,
    status: 202,
    isCreation: true,
    location: '/v1/projects/{projectId}/pushes/{id}',
  },
} as const satisfies Record<string, Operation>
