import { StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers } from '@stagecraft/spec/api'
import type { Lookup } from '@stagecraft/webhooks'
import type { Transaction } from 'kysely'
import { randomBytes } from 'node:crypto'
import { type Change, change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import type { Cipher } from '../secrets/cipher.ts'
import { allOf, hasText, isValue } from '../store/list-filters.ts'
import { page } from '../store/page.ts'
import { ownedRow } from '../store/rows.ts'
import type { Database, WebhookRow } from '../store/schema.ts'
import { changeWebhook, checkInput, refuseDisabled } from './change-webhook.ts'
import { type DeliveryHandlers, deliveryHandlers } from './delivery-handlers.ts'
import { NEW_HEALTH, toWebhook } from './to-webhook.ts'

/** Returns the place that a webhook's encrypted secret is bound to. */
export function placeOf(webhookId: string, column: 'secret' | 'previous_secret' | 'headers'): string {
  return `webhooks/${webhookId}/${column}`
}

function secretColumn(
  cipher: Cipher,
  { id, secret }: { readonly id: string; readonly secret: string },
): Pick<WebhookRow, 'secret'> {
  return { secret: cipher.seal(secret, placeOf(id, 'secret')) }
}

function headerColumns(
  cipher: Cipher,
  { headers, id }: { readonly id: string; readonly headers: Readonly<Record<string, string>> },
): Pick<WebhookRow, 'headers' | 'header_names'> {
  const names = Object.keys(headers)
  return {
    headers: names.length === 0 ? null : cipher.seal(JSON.stringify(headers), placeOf(id, 'headers')),
    header_names: JSON.stringify(names),
  }
}

function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Encrypts it again, because it moves to another column. Without an overlap it is not even decrypted. */
function previousColumns(
  { id, secret }: WebhookRow,
  { cipher, now, until }: { readonly cipher: Cipher; readonly now: number; readonly until: number },
): Pick<WebhookRow, 'previous_secret' | 'previous_secret_expires_at'> {
  if (until <= now) return { previous_secret: null, previous_secret_expires_at: null }
  const text = cipher.open(secret, placeOf(id, 'secret'))
  return {
    previous_secret: cipher.seal(text, placeOf(id, 'previous_secret')),
    previous_secret_expires_at: until,
  }
}

interface WebhookOptions {
  /** Replaces the DNS of the system when a URL is given. */
  readonly lookup?: Lookup | undefined
}

type WebhookHandlers = Pick<
  ApiHandlers,
  | 'createWebhook'
  | 'listWebhooks'
  | 'getWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'rotateWebhookSecret'
  | 'pauseWebhook'
  | 'enableWebhook'
>

/** Creates the handlers of the operations on webhooks and their deliveries. */
export function webhookHandlers(
  context: ServiceContext,
  options: WebhookOptions = {},
): WebhookHandlers & DeliveryHandlers {
  return {
    createWebhook: (call) => createWebhook(context, call, options),
    listWebhooks: (call) => listWebhooks(context, call),
    getWebhook: (call) => getWebhook(context, call),
    updateWebhook: (call) => updateWebhook(context, call, options),
    deleteWebhook: (call) => deleteWebhook(context, call),
    rotateWebhookSecret: (call) => rotateSecret(context, call),
    pauseWebhook: (call) => pauseWebhook(context, call),
    enableWebhook: (call) => enableWebhook(context, call),
    ...deliveryHandlers(context),
  }
}

const MOST_WEBHOOKS = 50

async function createWebhook(
  context: ServiceContext,
  { body, caller, signal }: CallOf<'createWebhook'>,
  { lookup }: WebhookOptions,
): ReplyOf<'createWebhook'> {
  const { cipher, settings } = context
  const { href } = await checkInput(body, { policy: settings.deliveryPolicy, signal, lookup })
  const row = await change(context, caller.projectId, async (tx) => {
    await refuseTooMany(tx)
    const id = tx.ids.next('whk')
    const now = await tx.now()
    const made: WebhookRow = {
      id,
      project_id: caller.projectId,
      url: href ?? body.url,
      events: JSON.stringify(body.events),
      description: body.description ?? null,
      ...secretColumn(cipher, { id, secret: body.secret }),
      previous_secret: null,
      previous_secret_expires_at: null,
      ...headerColumns(cipher, { id, headers: body.headers ?? {} }),
      state: 'active',
      ...NEW_HEALTH,
      last_success_at: null,
      version: 1,
      created_at: now,
      updated_at: now,
    }
    await tx.db.insertInto('webhooks').values(made).execute()
    return made
  })
  return { data: toWebhook(row) }
}

/** Locks the row of the project, so that simultaneous requests count one after another. */
async function refuseTooMany(tx: Change): Promise<void> {
  await tx.ownProject({ lock: 'update' })
  const { count } = await tx.db
    .selectFrom('webhooks')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('project_id', '=', tx.projectId)
    .executeTakeFirstOrThrow()
  if (count < MOST_WEBHOOKS) return
  const expected = `at most ${MOST_WEBHOOKS} webhooks in a project`
  throw StagecraftError.invalid([{ path: '', expected, received: 'one more; delete one that is not needed' }])
}

async function listWebhooks(
  { store }: ServiceContext,
  { caller, query }: CallOf<'listWebhooks'>,
): ReplyOf<'listWebhooks'> {
  const webhooks = store.db.selectFrom('webhooks').selectAll().where('project_id', '=', caller.projectId)
  const { event, search, state, ...position } = query
  const wanted = allOf([
    isValue('state', state),
    event === undefined ? undefined : hasText(['events'], `"${event}"`),
    search === undefined ? undefined : hasText(['url', 'description'], search),
  ])
  const { nextCursor, rows } = await page(webhooks.where(wanted), position)
  return { data: { items: rows.map(toWebhook) }, nextCursor }
}

async function getWebhook(
  { store }: ServiceContext,
  { caller: { projectId }, params: { webhookId } }: CallOf<'getWebhook'>,
): ReplyOf<'getWebhook'> {
  return { data: toWebhook(await ownedRow(store, 'webhooks', { projectId, id: webhookId })) }
}

type UpdateCall = CallOf<'updateWebhook'>

async function updateWebhook(
  context: ServiceContext,
  { body, caller, ifVersion, params, signal }: UpdateCall,
  { lookup }: WebhookOptions,
): ReplyOf<'updateWebhook'> {
  const { cipher, settings } = context
  const { href } = await checkInput(body, { policy: settings.deliveryPolicy, signal, lookup })
  const key = { ...params, projectId: caller.projectId }
  const columns = (row: WebhookRow) => changedColumns(row, { ...body, url: href }, cipher)
  return { data: toWebhook(await changeWebhook(context, key, { ifVersion, columns })) }
}

function changedColumns(
  row: WebhookRow,
  {
    description,
    events,
    headers,
    url,
  }: Omit<UpdateCall['body'], 'url'> & { readonly url: string | undefined },
  cipher: Cipher,
): Partial<WebhookRow> | undefined {
  const columns: Partial<WebhookRow> = {
    ...(url !== undefined && { url }),
    // Failures of the previous receiver do not count for this one. A webhook that was disabled for failures stays
    // disabled.
    ...(url !== undefined && url !== row.url && { breaker_until: null, breaker_opens: 0 }),
    ...(events !== undefined && { events: JSON.stringify(events) }),
    ...(description !== undefined && { description }),
    ...(headers !== undefined && headerColumns(cipher, { id: row.id, headers })),
  }
  return Object.keys(columns).length === 0 ? undefined : columns
}

const BATCH = 1000

/**
 * Deletes a webhook with its deliveries, however many, in short transactions. It is disabled from the first one on, so
 * that nothing is added and nothing sent; a process that ends in between leaves it so, to be deleted again.
 */
async function deleteWebhook(
  context: ServiceContext,
  { caller: { projectId }, ifVersion, params: { webhookId } }: CallOf<'deleteWebhook'>,
): ReplyOf<'deleteWebhook'> {
  let isGone = false
  while (!isGone) {
    isGone = await change(context, projectId, async (tx) => {
      const { id } = await tx.own('webhooks', webhookId, { lock: 'delete', ifVersion })
      const deleted = await deleteSome(tx.db, id)
      if (deleted < BATCH) await tx.db.deleteFrom('webhooks').where('id', '=', id).execute()
      else await disable(tx.db, id)
      return deleted < BATCH
    })
  }
  return { data: { id: webhookId, deleted: true } }
}

/** Deletes attempts last, because a delivery that is claimed meanwhile writes one. */
async function deleteSome(transaction: Transaction<Database>, webhookId: string): Promise<number> {
  const rows = await transaction
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .limit(BATCH)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  await transaction.deleteFrom('deliveries').where('id', 'in', ids).execute()
  await transaction.deleteFrom('attempts').where('delivery_id', 'in', ids).execute()
  return ids.length
}

async function disable(transaction: Transaction<Database>, id: string): Promise<void> {
  await transaction
    .updateTable('webhooks')
    .set({ state: 'disabled', notice: 'it is being deleted' })
    .where('id', '=', id)
    .execute()
}

const DEFAULT_OVERLAP_SECONDS = 86_400

/** Replaces the secret. The response contains it if the service created it. */
async function rotateSecret(
  context: ServiceContext,
  { body, caller, ifVersion, params, signal }: CallOf<'rotateWebhookSecret'>,
): ReplyOf<'rotateWebhookSecret'> {
  const { cipher, settings } = context
  await checkInput({ secret: body.secret }, { policy: settings.deliveryPolicy, signal, lookup: undefined })
  const made = body.secret === undefined ? { secret: makeSecret() } : {}
  const secret = body.secret ?? made.secret ?? ''
  const overlapMs = (body.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS) * 1000
  const key = { ...params, projectId: caller.projectId }
  const columns = (before: WebhookRow, now: number): Partial<WebhookRow> => ({
    ...secretColumn(cipher, { id: before.id, secret }),
    ...previousColumns(before, { cipher, until: now + overlapMs, now }),
  })
  const row = await changeWebhook(context, key, { ifVersion, columns })
  return { data: { ...toWebhook(row), ...made } }
}

/** Pauses a webhook: deliveries wait from now on; running ones finish. */
async function pauseWebhook(
  context: ServiceContext,
  { caller: { projectId }, params }: CallOf<'pauseWebhook'>,
): ReplyOf<'pauseWebhook'> {
  const columns = (before: WebhookRow): Partial<WebhookRow> | undefined => {
    refuseDisabled(before)
    return before.state === 'paused' ? undefined : { state: 'paused' }
  }
  return { data: toWebhook(await changeWebhook(context, { ...params, projectId }, { columns })) }
}

/** Enables a webhook and clears its failures: the time of a pause does not count as failing. */
async function enableWebhook(
  context: ServiceContext,
  { caller: { projectId }, params }: CallOf<'enableWebhook'>,
): ReplyOf<'enableWebhook'> {
  const columns = ({ state }: WebhookRow): Partial<WebhookRow> | undefined =>
    state === 'active' ? undefined : { state: 'active', ...NEW_HEALTH }
  return { data: toWebhook(await changeWebhook(context, { ...params, projectId }, { columns })) }
}
