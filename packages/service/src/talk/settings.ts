import { StagecraftError } from '@stagecraft/spec'
import type { AssistantSettings, Caller } from '@stagecraft/spec/api'
import { checkEndpointUrl } from '@stagecraft/webhooks'
import { type Change, change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import type { AssistantSettingsRow } from '../store/talk-rows.ts'
import { tokensToday } from './budget.ts'
import { openModel } from './open-model.ts'
import { placeOf, readSettings } from './stored-settings.ts'

export async function getAssistantSettings(
  context: ServiceContext,
  { caller }: CallOf<'getAssistantSettings'>,
): ReplyOf<'getAssistantSettings'> {
  return { data: await shown(context, caller) }
}

/** A key is for one provider and one address: it goes to no other. */
export async function updateAssistantSettings(
  context: ServiceContext,
  { body, caller }: CallOf<'updateAssistantSettings'>,
): ReplyOf<'updateAssistantSettings'> {
  const { projectId } = caller
  await change(context, projectId, async (tx) => {
    // one after the other: the key belongs to what stands beside it
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
        : context.cipher.seal(given, placeOf(before.project_id))
  const row = { ...after, api_key }
  assertUsable(row, body, context)
  return row
}

/** @throws {StagecraftError} INVALID_REQUEST for settings that no call could be made with. */
function assertUsable(row: AssistantSettingsRow, body: Body, { settings }: ServiceContext): void {
  const fault = (path: string, expected: string, received: string): StagecraftError =>
    StagecraftError.invalid({ path, expected, received })
  const check = row.base_url === null ? undefined : checkEndpointUrl(row.base_url, settings.deliveryPolicy)
  if (check?.ok === false)
    throw fault('baseUrl', 'an https address that is public, as of a webhook', check.message)
  if (row.provider === null) {
    const lone = (['model', 'base_url', 'api_key'] as const).find((name) => row[name] !== null)
    if (lone !== undefined)
      throw fault('provider', 'a provider for the model, the address or the key', 'none')
    return
  }
  if (row.provider === 'openai-compatible') {
    if (row.base_url === null) throw fault('baseUrl', 'the address of the server', 'none')
    if (row.model === null) throw fault('model', 'the name of a model', 'none')
  } else if (row.api_key === null) throw fault('apiKey', `a key of ${row.provider}`, 'none')
  if (typeof body.apiKey === 'string' && !/^[\u0021-\u007E]+$/.test(body.apiKey))
    throw fault('apiKey', 'a key without spaces and line breaks', 'another text')
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
