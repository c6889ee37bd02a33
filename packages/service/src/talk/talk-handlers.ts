import pLimit from 'p-limit'
import { redactSecrets, StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers, AssistantSettings, Caller } from '@stagecraft/spec/api'
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
import { applyProposal, discardProposal, getProposal, listProposals } from './proposals.ts'
import { publicTree } from '@stagecraft/assistant'
import { memoryTree, readText } from '@stagecraft/dbt'
import { basename } from 'node:path/posix'
import type { ProjectFiles } from '../analyses/read-project-files.ts'
import { readProject } from '../projects/project-settings.ts'
import { placeOf, readProjectFiles } from './read-files.ts'
import { checkEndpointUrl } from '@stagecraft/webhooks'
import { type Change, change } from '../change.ts'
import type { AssistantSettingsRow } from '../store/talk-rows.ts'
import { tokensToday } from './budget.ts'
import { openModel } from './open-model.ts'
import { apiKeyPlace, readSettings } from './stored-settings.ts'

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

/** Creates the handlers of the operations on conversations with the assistant. */
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

/** Returns the lines of all messages, with the opening of the conversation once. */
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

/** The maximum number of cached projects; each may have 64 MB. */
const KEPT = 2

/** The number of repositories that are read at the same time. */
const READ_AT_ONCE = 2

/** Larger files are not written by people for dbt. */
const LARGEST_FILE = 2_000_000

interface Kept {
  readonly place: string
  readonly files: ProjectFiles
}

/**
 * Returns files of dbt projects, among those that the assistant reads. The last reads are cached while their branch is
 * unchanged.
 */
function projectFileHandler(context: ServiceContext) {
  const kept: Kept[] = []
  const reading = pLimit(READ_AT_ONCE)
  const read = async (projectId: string, signal: AbortSignal): Promise<ProjectFiles> => {
    const project = await readProject(context.store.db, projectId)
    const place = placeOf(project)
    const index = kept.findIndex((one) => one.place === place)
    const files = await readProjectFiles(context, project, { known: kept[index]?.files, signal })
    if (index >= 0) kept.splice(index, 1)
    kept.unshift({ place, files })
    kept.splice(KEPT)
    return files
  }
  return async ({ caller: { projectId }, params: { path }, signal }: CallOf<'getProjectFile'>) => {
    const { files } = await reading(() => read(projectId, signal))
    const tree = publicTree(memoryTree(files))
    const bytes = await tree.read(path)
    if (bytes === undefined) throw StagecraftError.unknownId('file', path, 'path')
    if (bytes.length > LARGEST_FILE) throw tooLarge(bytes.length)
    const text = redactSecrets((await readText(tree, path)) ?? '')
    return { bytes: new TextEncoder().encode(text), fileName: basename(path) }
  }
}

function tooLarge(length: number): StagecraftError {
  return StagecraftError.invalid(
    { path: 'path', expected: `a file of at most ${LARGEST_FILE} bytes`, received: `${length}` },
    { details: { reason: 'too_large' } },
  )
}

async function getAssistantSettings(
  context: ServiceContext,
  { caller }: CallOf<'getAssistantSettings'>,
): ReplyOf<'getAssistantSettings'> {
  return { data: await shown(context, caller) }
}

/** A key belongs to one provider and one address and is sent to no other. */
async function updateAssistantSettings(
  context: ServiceContext,
  { body, caller }: CallOf<'updateAssistantSettings'>,
): ReplyOf<'updateAssistantSettings'> {
  const { projectId } = caller
  await change(context, projectId, async (tx) => {
    // One after another, because the key belongs to the other settings.
    await tx.ownProject({ lock: 'update' })
    await write(tx, changed(await readSettings(tx.db, projectId), body, context))
  })
  return { data: await shown(context, caller) }
}

type Body = CallOf<'updateAssistantSettings'>['body']

function changed(before: AssistantSettingsRow, body: Body, context: ServiceContext): AssistantSettingsRow {
  const after = {
    ...before,
    ...(body.provider !== undefined && { provider: body.provider }),
    ...(body.model !== undefined && { model: body.model }),
    ...(body.baseUrl !== undefined && { base_url: body.baseUrl }),
    ...(body.tokensPerDay !== undefined && { tokens_per_day: body.tokensPerDay }),
  }
  const isSamePlace = after.provider === before.provider && after.base_url === before.base_url
  const given = body.apiKey
  const api_key =
    given === undefined
      ? isSamePlace
        ? before.api_key
        : null
      : given === null
        ? null
        : context.cipher.seal(given, apiKeyPlace(before.project_id))
  const row = { ...after, api_key }
  assertUsable(row, body, context)
  return row
}

/** @throws {StagecraftError} INVALID_REQUEST for settings with which no call could succeed. */
function assertUsable(row: AssistantSettingsRow, body: Body, { settings }: ServiceContext): void {
  const fault = (path: string, expected: string, received: string): StagecraftError =>
    StagecraftError.invalid({ path, expected, received })
  const check = row.base_url === null ? undefined : checkEndpointUrl(row.base_url, settings.deliveryPolicy)
  if (check?.ok === false) throw fault('baseUrl', check.expected, check.received)
  if (row.provider === null) {
    const lone = (['model', 'base_url', 'api_key'] as const).find((name) => row[name] !== null)
    if (lone !== undefined)
      throw fault('provider', 'a provider, because a model, an address or a key is set', 'nothing')
    return
  }
  if (row.provider === 'openai-compatible') {
    if (row.base_url === null) throw fault('baseUrl', 'the address of the server', 'nothing')
    if (row.model === null) throw fault('model', 'the name of a model', 'nothing')
  } else if (row.api_key === null) throw fault('apiKey', `an API key of ${row.provider}`, 'nothing')
  if (typeof body.apiKey === 'string' && !/^[\u0021-\u007E]+$/.test(body.apiKey))
    throw fault('apiKey', 'printable ASCII characters without spaces', 'text with other characters')
}

async function write(tx: Change, row: AssistantSettingsRow): Promise<void> {
  const { project_id: _, ...columns } = row
  await tx.db
    .insertInto('assistant_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(columns))
    .execute()
}

async function shown(context: ServiceContext, { projectId }: Caller): Promise<AssistantSettings> {
  const row = await readSettings(context.store.db, projectId)
  const backend = openModel(context, row)
  const { base_url, model, provider, tokens_per_day } = row
  return {
    ...(provider !== null && { provider: provider as NonNullable<AssistantSettings['provider']> }),
    ...(model !== null && { model }),
    ...(base_url !== null && { baseUrl: base_url }),
    hasKey: row.api_key !== null,
    ...(tokens_per_day !== null && { tokensPerDay: tokens_per_day }),
    tokensToday: await tokensToday(context, projectId),
    ...(backend && { backend: backend.id }),
  }
}
