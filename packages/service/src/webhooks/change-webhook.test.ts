import { expect, test } from 'vitest'
import { describeEachStore } from '../../../../test/service/each-store.ts'
import {
  callOf,
  FIRST_PAGE,
  publicLookup,
  webhookContext,
  webhookRow,
} from '../../../../test/service/webhook-bench.ts'
import { MIGRATIONS } from '../store/migrations/index.ts'
import type { WebhookRow } from '../store/schema.ts'
import { placeOf, webhookHandlers } from './webhook-handlers.ts'

await describeEachStore('changing a webhook', MIGRATIONS, (open) => {
  const start = async (columns: Partial<WebhookRow> = {}) => {
    const context = await webhookContext(await open())
    const handlers = webhookHandlers(context, { lookup: publicLookup })
    const body = { url: 'https://example.com/', events: ['push.completed' as const], secret: 'first secret' }
    const { id } = (await handlers.createWebhook(callOf({ body }))).data
    if (Object.keys(columns).length > 0)
      await context.store.db.updateTable('webhooks').set(columns).where('id', '=', id).execute()
    const callFor = <Parts extends object>(parts: Parts, projectId?: string) =>
      callOf({ params: { webhookId: id }, ...parts }, projectId)
    return { callFor, context, handlers, id, row: () => webhookRow(context.store, id) }
  }
  const failing = {
    state: 'disabled',
    notice: 'it failed for five days',
    consecutive_failures: 40,
    failing_since: 5,
    breaker_until: 99,
    breaker_opens: 4,
    window_size: 1,
  } as const

  test('replaces what is given and counts the version', async () => {
    const { callFor, handlers } = await start()
    const url = 'https://other.example.com/hook'
    const { data } = await handlers.updateWebhook(
      callFor({ body: { url, events: ['scan.completed'], headers: { 'x-a': '1' }, description: 'new' } }),
    )
    expect(data).toMatchObject({
      url,
      events: ['scan.completed'],
      headerNames: ['x-a'],
      description: 'new',
      version: 2,
    })
    const without = await handlers.updateWebhook(callFor({ body: { headers: {} } }))
    expect(without.data).toMatchObject({ url, headerNames: [], version: 3 })
  })

  test('changes nothing when nothing is given', async () => {
    const { callFor, handlers } = await start()
    expect((await handlers.updateWebhook(callFor({ body: {} }))).data.version).toBe(1)
  })

  test('holds against what If-Match asks for', async () => {
    const { callFor, handlers } = await start()
    const body = { description: 'a' }
    expect((await handlers.updateWebhook(callFor({ body, ifVersion: 1 }))).data.version).toBe(2)
    const late = handlers.updateWebhook(callFor({ body: { description: 'b' }, ifVersion: 1 }))
    await expect(late).rejects.toMatchObject({ code: 'INVALID_REQUEST', details: { reason: 'version' } })
    expect((await handlers.getWebhook(callFor({}))).data.description).toBe('a')
  })

  test('loses no change when ten come at once', async () => {
    const { callFor, handlers } = await start()
    const change = (index: number) => handlers.updateWebhook(callFor({ body: { description: `${index}` } }))
    await Promise.all(Array.from({ length: 10 }, (_, index) => change(index)))
    expect((await handlers.getWebhook(callFor({}))).data.version).toBe(11)
  })

  test('checks a new address and new headers as it does for a new webhook', async () => {
    const { callFor, handlers } = await start()
    const body = { url: 'https://inside.example.com/', headers: { host: 'a' } }
    await expect(handlers.updateWebhook(callFor({ body }))).rejects.toMatchObject({
      details: { faults: [{ path: 'url' }, { path: 'headers.host' }] },
    })
    expect((await handlers.getWebhook(callFor({}))).data.version).toBe(1)
  })

  test('says until when deliveries wait for an active webhook that fails', async () => {
    const { callFor, handlers } = await start({ breaker_until: 99_000 })
    expect((await handlers.getWebhook(callFor({}))).data.waitsUntil).toBe('1970-01-01T00:01:39.000Z')
    await handlers.pauseWebhook(callFor({}))
    expect((await handlers.getWebhook(callFor({}))).data).not.toHaveProperty('waitsUntil')
  })

  test('closes the breaker for another address, and not for the same', async () => {
    const { callFor, handlers, row } = await start({ breaker_until: 99, breaker_opens: 4 })
    await handlers.updateWebhook(callFor({ body: { url: 'https://example.com' } }))
    expect(await row()).toMatchObject({ breaker_until: 99, breaker_opens: 4 })
    await handlers.updateWebhook(callFor({ body: { url: 'https://example.com/new' } }))
    expect(await row()).toMatchObject({ breaker_until: null, breaker_opens: 0 })
  })

  test('enabling forgets what went wrong', async () => {
    const { callFor, context, handlers, row } = await start(failing)
    let noticed = 0
    context.wakeups.listen('deliveries', () => (noticed += 1))
    const { data } = await handlers.enableWebhook(callFor({}))
    expect(data).toMatchObject({ state: 'active', consecutiveFailures: 0, version: 2 })
    expect(Object.keys(data)).not.toEqual(expect.arrayContaining(['notice']))
    expect(await row()).toMatchObject({
      notice: null,
      failing_since: null,
      breaker_until: null,
      breaker_opens: 0,
      window_size: 10,
    })
    expect(noticed).toBe(1)
    expect((await handlers.enableWebhook(callFor({}))).data.version).toBe(2)
  })

  test('pausing holds, once, and enabling ends it', async () => {
    const { callFor, handlers } = await start()
    expect((await handlers.pauseWebhook(callFor({}))).data).toMatchObject({ state: 'paused', version: 2 })
    expect((await handlers.pauseWebhook(callFor({}))).data.version).toBe(2)
    expect((await handlers.enableWebhook(callFor({}))).data).toMatchObject({ state: 'active', version: 3 })
  })

  test('a disabled one is not paused, and the error says what to do', async () => {
    const { callFor, handlers, id } = await start(failing)
    await expect(handlers.pauseWebhook(callFor({}))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { suggestion: `POST /v1/webhooks/${id}/enable` },
    })
  })

  test('rotation makes a secret, shows it once, and keeps the previous one for a day', async () => {
    const { callFor, context, handlers, id, row } = await start()
    const { data } = await handlers.rotateWebhookSecret(callFor({ body: {} }))
    expect(data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { previous_secret, previous_secret_expires_at, secret, updated_at } = await row()
    expect(context.cipher.open(secret, placeOf(id, 'secret'))).toBe(data.secret)
    expect(context.cipher.open(previous_secret ?? '', placeOf(id, 'previous_secret'))).toBe('first secret')
    expect(previous_secret_expires_at).toBe(updated_at + 86_400_000)
    const shown = (await handlers.getWebhook(callFor({}))).data
    expect(shown).toMatchObject({ version: 2, previousSecretExpiresAt: data.previousSecretExpiresAt })
    expect(shown).not.toHaveProperty('secret')
  })

  test('rotation to a given secret does not show it', async () => {
    const { callFor, context, handlers, id, row } = await start()
    const body = { secret: 'second secret', overlapSeconds: 60 }
    const { data } = await handlers.rotateWebhookSecret(callFor({ body }))
    expect(data).not.toHaveProperty('secret')
    const { previous_secret_expires_at, secret, updated_at } = await row()
    expect(context.cipher.open(secret, placeOf(id, 'secret'))).toBe('second secret')
    expect(previous_secret_expires_at).toBe(updated_at + 60_000)
  })

  test('rotation without overlap ends the previous secret at once, though it cannot be read any more', async () => {
    const { callFor, handlers, row } = await start({ secret: 'v1.00000000.AAAA', previous_secret: 'x' })
    const overlapping = handlers.rotateWebhookSecret(callFor({ body: {} }))
    await expect(overlapping).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
    const { data } = await handlers.rotateWebhookSecret(callFor({ body: { overlapSeconds: 0 } }))
    expect(data).not.toHaveProperty('previousSecretExpiresAt')
    expect(await row()).toMatchObject({ previous_secret: null, previous_secret_expires_at: null })
  })

  test('rotation refuses a secret that is none', async () => {
    const { callFor, handlers } = await start()
    const wrong = handlers.rotateWebhookSecret(callFor({ body: { secret: 'whsec_*' } }))
    await expect(wrong).rejects.toMatchObject({ details: { faults: [{ path: 'secret' }] } })
  })

  test('is for the project of the key alone', async () => {
    const { callFor, handlers } = await start()
    const foreign = <Parts extends object>(parts: Parts) => callFor(parts, 'proj_2')
    const since = '2026-01-01T00:00:00Z'
    for (const attempt of [
      () => handlers.updateWebhook(foreign({ body: { description: 'a' } })),
      () => handlers.deleteWebhook(foreign({})),
      () => handlers.rotateWebhookSecret(foreign({ body: {} })),
      () => handlers.pauseWebhook(foreign({})),
      () => handlers.enableWebhook(foreign({})),
      () => handlers.testWebhook(foreign({ body: {} })),
      () => handlers.replayEvents(foreign({ body: { since } })),
      () => handlers.getWebhookStats(foreign({})),
      () => handlers.listDeliveries(foreign(FIRST_PAGE)),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    expect((await handlers.getWebhook(callFor({}))).data.version).toBe(1)
  })
})
