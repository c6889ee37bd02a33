import { z } from '../zod.ts'
import { idField, jobFields, timeField } from './fields.ts'

const count = z.int().nonnegative()

/** The providers that a project can choose. Their keys are stored encrypted. */
export const ASSISTANT_PROVIDERS = ['anthropic', 'openai', 'openai-compatible'] as const

export const TALK_TOOLS = ['read', 'propose'] as const

export const assistantSettingsSchema = z.object({
  provider: z
    .enum(ASSISTANT_PROVIDERS)
    .optional()
    .describe('The API to ask. Default: the model of the service, if it has one.'),
  model: z.string().optional().describe("The provider's name of the model. Default: that of the provider."),
  baseUrl: z.string().optional().describe("The address of the API. Default: the provider's own."),
  hasKey: z.boolean().describe('True if a key is stored.'),
  tokensPerDay: count
    .optional()
    .describe(
      'The maximum number of tokens for the answers of one day (UTC), over all keys. Default: no limit.',
    ),
  tokensToday: count.describe('The tokens that answers have used today.'),
  backend: z
    .string()
    .optional()
    .describe('The model that answers: `anthropic:claude-haiku-5-5`. Absent if only rules answer.'),
})

export const conversationSchema = z.object({
  id: idField('conv'),
  title: z.string().optional().describe('A name for people.'),
  keyId: z
    .string()
    .describe('The key that started it. Only this key, and keys with the scope `admin`, can open it.'),
  messages: count.describe('The number of its messages.'),
  createdAt: timeField,
  updatedAt: timeField.describe('The time of its last message.'),
})

export const citationSchema = z.object({
  mark: z.int().positive().describe('The number in the text: `[1]`.'),
  file: z.string().describe('Relative to the dbt project.'),
  line: z.int().positive().describe('From 1.'),
  endLine: z.int().positive().optional().describe('The last line, if there are several. Default: `line`.'),
  text: z.string().describe('The text of the first line, without secrets, of at most 300 characters.'),
})

export const talkAnswerSchema = z.object({
  text: z
    .string()
    .describe(
      'Markdown without links, pictures and HTML. `[1]` is a citation; `[?]` marks a sentence that claims something without a citation.',
    ),
  citations: z
    .array(citationSchema)
    .describe('Places that a tool result of the conversation named and that exist, as it named them.'),
  proposals: z.array(idField('prop')).describe('Proposals that were made for the answer.'),
  unknown: z.array(z.string()).describe('Facts that could not be determined, with reasons.'),
  droppedCitations: count.describe(
    'Citations of the model that were removed, because no tool result proves them.',
  ),
  unproven: count.describe('Sentences with `[?]`.'),
  answeredBy: z
    .enum(['model', 'rules'])
    .describe('`rules` if the answer was computed without a language model.'),
  backend: z.string().optional().describe('The model that was asked.'),
  fallback: z.string().optional().describe('The reason why the rules answered although a model was asked.'),
  stoppedBy: z
    .enum(['turns', 'calls', 'tokens', 'seconds', 'cost'])
    .optional()
    .describe('The limit that ended the search.'),
  calls: count.describe('Calls of tools.'),
  commit: z.string().optional().describe('The commit of the repository that was read.'),
})

const talkUsageSchema = z.object({
  input: count.describe('Tokens read, cached or not.'),
  cacheRead: count.describe("The part of them that came from the provider's cache."),
  cacheWrite: count.describe('The part of them that was written to it.'),
  output: count.describe('Tokens written, reasoning included.'),
  reasoning: count.describe('The part of them that was used for reasoning.'),
  attempts: count.describe('Calls of the model.'),
  incomplete: z.boolean().describe('True if a call ended without reporting its tokens.'),
})

export const messageSchema = z.object({
  id: idField('msg'),
  conversationId: idField('conv'),
  content: z.string().describe('The question.'),
  tools: z.enum(TALK_TOOLS).describe('`propose` also allows tools that store proposals.'),
  ...jobFields,
  answer: talkAnswerSchema.optional().describe('Present if it is completed.'),
  usage: talkUsageSchema.describe('The tokens used so far, including retries.'),
  tokensUsed: count.describe('Tokens read and written.'),
})

const proposedFileSchema = z.object({
  path: z.string().describe('Relative to the dbt project.'),
  change: z.enum(['create', 'update', 'remove']).describe('The change of the file.'),
  baseSha256: z
    .string()
    .optional()
    .describe('SHA-256 of the text that the change was made from. Absent for a new file.'),
  diff: z.string().describe('A unified diff.'),
})

export const proposalSchema = z.object({
  id: idField('prop'),
  kind: z.string().describe('`model`, `fix` or `yaml`.'),
  title: z.string().describe('A title of one line.'),
  state: z
    .enum(['open', 'applying', 'applied', 'expired'])
    .describe(
      '`applying`: it is being pushed; if that fails, it is `open` again. `applied`: it was pushed. `expired`: it can no longer be applied.',
    ),
  conversationId: idField('conv')
    .optional()
    .describe('The conversation that it came from, if it still exists.'),
  messageId: idField('msg').optional().describe('The message that it came from, if it still exists.'),
  files: z.array(proposedFileSchema).describe('The files that it changes.'),
  evidence: z.array(z.string()).describe('The evidence for the change.'),
  notes: z.array(z.string()).describe('Parts that were left out, with reasons.'),
  pushId: idField('push').optional().describe('Its last push.'),
  createdAt: timeField,
  expiresAt: timeField,
})

export const TALK_EVENTS = [
  'message.started',
  'text.delta',
  'text.reset',
  'tool.started',
  'tool.finished',
  'proposal',
  'usage',
  'message.completed',
  'error',
] as const

export type TalkEventKind = (typeof TALK_EVENTS)[number]

export const talkMessageSchema = z.object({
  event: z.enum(TALK_EVENTS).describe('The kind of event.'),
  data: z.record(z.string(), z.unknown()).optional().describe('The data of the event, by its kind.'),
  envelope: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('In the last event: the success envelope of the message, or the error envelope.'),
})
