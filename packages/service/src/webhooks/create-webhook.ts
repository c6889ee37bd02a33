import { StagecraftError } from '@stagecraft/spec'
import type { Call, ApiOperations, WebhookResource } from '@stagecraft/spec/api'
import { type Change, change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { WebhookRow } from '../store/schema.ts'
import { checkInput } from './check-input.ts'
import { NEW_HEALTH } from './new-health.ts'
import { headerColumns, secretColumn } from './secret-columns.ts'
import { toWebhook } from './to-webhook.ts'
import type { WebhookOptions } from './webhook-options.ts'

const MOST_WEBHOOKS = 50

export async function createWebhook(
  context: ServiceContext,
  { body, caller, signal }: Call<ApiOperations['createWebhook']>,
  { lookup }: WebhookOptions,
): Promise<WebhookResource> {
  const { cipher, settings } = context
  const { href } = await checkInput(body, { policy: settings.deliveryPolicy, signal, lookup })
  return await change(context, caller.projectId, async (tx) => {
    await refuseTooMany(tx)
    const id = tx.ids.next('whk')
    const now = await tx.now()
    const row: WebhookRow = {
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
    await tx.db.insertInto('webhooks').values(row).execute()
    return toWebhook(row)
  })
}

/** The row of the project is locked, so that two requests at once count one after the other. */
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
