import type { StagecraftError } from '@stagecraft/spec'
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
import { placeOf, webhookHandlers } from './webhook-handlers.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const CLOSED_URLS = [
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://',
  '//127.0.0.1/',
  'https://user:hunter2@example.com/',
  'https://127.0.0.1@example.com/',
  'https://example.com#@127.0.0.1/',
  'https://example.com:22/',
  'https://example.com:65536/',
  'https:127.0.0.1/',
  'https:///127.0.0.1/',
  'https:\\\\127.0.0.1/',
  'https://127.0.0.1\\.example.com/',
  ...(
    '127.0.0.1 127.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 127.0.0.1. ①②⑦.⓪.⓪.① １２７.０.０.１ ' +
    '127。0。0。1 127%2e0%2e0%2e1 ⑯⑨。②⑤④。⑯⑨。②⑤④ 2852039166 0251.0376.0251.0376 169.254.43518 0 0.0.0.0 ' +
    '256.256.256.256 168.63.129.16 100.100.100.200 192.0.0.192 10.0.0.1 172.31.255.255 192.168.1.1 198.18.0.1 ' +
    '224.0.0.1 255.255.255.255 1.1.1.1 [::1] [::] [::ffff:127.0.0.1] [::ffff:a9fe:a9fe] [::127.0.0.1] ' +
    '[64:ff9b::7f00:1] [2002:7f00:1::] [2001:db8::1] [fe80::1] [fec0::1] [fd00:ec2::254] [fd20:ce::254] [ff02::1] ' +
    'localhost LOCALHOST localhost. foo.localhost ⓛⓞⓒⓐⓛⓗⓞⓢⓣ metadata metadata.google.internal ' +
    'kubernetes.default.svc db.corp inside.example.com'
  )
    .split(' ')
    .map((host) => `https://${host}/`),
]
const input = { url: 'https://example.com/hook', events: ['push.completed' as const], secret: SECRET }

await describeEachStore('creating a webhook', MIGRATIONS, (open) => {
  const start = async () => {
    const context = await webhookContext(await open())
    const handlers = webhookHandlers(context, { lookup: publicLookup })
    const create = async (body: object, projectId?: string) =>
      (await handlers.createWebhook(callOf({ body: { ...input, ...body } }, projectId))).data
    const faultsOf = async (body: object) => {
      const error: StagecraftError = await create(body).then(
        () => Promise.reject(new Error('it was created')),
        (reason: StagecraftError) => reason,
      )
      expect(error.code).toBe('INVALID_REQUEST')
      return error
    }
    return { context, create, faultsOf, handlers }
  }

  test('keeps it, with what is secret sealed and never shown', async () => {
    const { context, create, handlers } = await start()
    const headers = { 'X-Team': 'data', authorization: 'Bearer of-the-receiver' }
    const webhook = await create({ headers, description: 'ours' })
    expect(webhook).toEqual({
      id: expect.stringMatching(/^whk_/),
      url: 'https://example.com/hook',
      events: ['push.completed'],
      description: 'ours',
      headerNames: ['X-Team', 'authorization'],
      state: 'active',
      consecutiveFailures: 0,
      version: 1,
      createdAt: webhook.updatedAt,
      updatedAt: expect.stringMatching(/^20..-/),
    })
    const listed = await handlers.listWebhooks(callOf(FIRST_PAGE))
    expect(listed).toEqual({ data: { items: [webhook] }, nextCursor: undefined })
    expect((await handlers.getWebhook(callOf({ params: { webhookId: webhook.id } }))).data).toEqual(webhook)
    const row = await webhookRow(context.store, webhook.id)
    expect(JSON.stringify(row)).not.toMatch(/MfKQ9r8|of-the-receiver/)
    expect(context.cipher.open(row.secret, placeOf(row.id, 'secret'))).toBe(SECRET)
    expect(JSON.parse(context.cipher.open(row.headers ?? '', placeOf(row.id, 'headers')))).toEqual(headers)
  })

  test('belongs to the project of the key', async () => {
    const { create, handlers } = await start()
    const { id } = await create({}, 'proj_2')
    expect((await handlers.listWebhooks(callOf(FIRST_PAGE))).data.items).toEqual([])
    const get = handlers.getWebhook(callOf({ params: { webhookId: id } }))
    await expect(get).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('lets http lead into the networks that are allowed, and nowhere else', async () => {
    const deliveryPolicy = { allowCidrs: ['10.0.0.0/24'], allowHttp: true }
    const context = await webhookContext(await open(), { deliveryPolicy })
    const { createWebhook } = webhookHandlers(context, { lookup: publicLookup })
    const create = (url: string) => createWebhook(callOf({ body: { ...input, url } }))
    for (const url of ['http://10.0.0.7/', 'http://inside.example.com/', 'https://example.com/'])
      expect((await create(url)).data.url).toBe(url)
    for (const url of [
      'http://example.com/',
      'http://nobody.example.com/',
      'http://1.1.1.1/',
      'http://10.0.1.1/',
    ])
      await expect(create(url)).rejects.toMatchObject({
        details: {
          faults: [
            {
              path: 'url',
              received: url.includes('10.0.1')
                ? 'an address of a private or special network'
                : 'a public host',
            },
          ],
        },
      })
  })

  test('stores the address in the spelling that is called', async () => {
    const { create } = await start()
    expect((await create({ url: 'HTTPS://EXAMPLE.COM:443\\@127.0.0.1/' })).url).toBe(
      'https://example.com/@127.0.0.1/',
    )
    expect((await create({ url: 'https://exa\tmple.com' })).url).toBe('https://example.com/')
  })

  test('refuses every address that is not of the public internet', async () => {
    const { context, faultsOf } = await start()
    for (const url of CLOSED_URLS) {
      const { details, message } = await faultsOf({ url })
      expect(
        details?.faults?.map(({ path }) => path),
        url,
      ).toEqual(['url'])
      expect(message).not.toContain('hunter2')
    }
    expect(await context.store.db.selectFrom('webhooks').select('id').execute()).toEqual([])
  })

  test('accepts a name that nobody knows yet', async () => {
    const { create } = await start()
    expect((await create({ url: 'https://nobody.example.com/' })).state).toBe('active')
  })

  test('tells all faults at once, and shows no secret', async () => {
    const { faultsOf } = await start()
    const error = await faultsOf({
      url: 'https://10.0.0.1/token',
      events: ['push.completed', 'scan.completed', 'push.completed'],
      secret: 'whsec_not base64',
      headers: {
        Host: 'a',
        'Content-Type': 'a',
        'transfer-encoding': 'a',
        'x-service-signature': 'a',
        'webhook-id': 'a',
        'x-team': 'a',
        'X-Team': 'b',
        'no name': 'a',
        'x-value': 'secret\nline',
      },
    })
    expect(new Set(error.details?.faults?.map(({ path }) => path))).toEqual(
      new Set([
        'url',
        'events.2',
        'secret',
        'headers.Host',
        'headers.Content-Type',
        'headers.transfer-encoding',
        'headers.x-service-signature',
        'headers.webhook-id',
        'headers.X-Team',
        'headers.no name',
        'headers.x-value',
      ]),
    )
    expect(JSON.stringify([error.message, error.details])).not.toMatch(/not base64|secret\\nline|token/)
  })

  test('names each header that cannot be sent once', async () => {
    const { faultsOf } = await start()
    const { details } = await faultsOf({ headers: { 'content-length': '1', connection: 'close' } })
    expect(details?.faults?.map(({ path }) => path)).toEqual(['headers.content-length', 'headers.connection'])
  })

  test('stops at fifty of a project, though several are created at once', async () => {
    const { create, handlers } = await start()
    for (let made = 0; made < 45; made += 1) await create({})
    const results = await Promise.allSettled(Array.from({ length: 9 }, () => create({})))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.map(({ reason }) => (reason as StagecraftError).code)).toEqual(
      Array.from({ length: 4 }, () => 'INVALID_REQUEST'),
    )
    expect((await create({}, 'proj_2')).state).toBe('active')
    const { data, nextCursor } = await handlers.listWebhooks(callOf({ query: { limit: 30 } }))
    const rest = await handlers.listWebhooks(callOf({ query: { limit: 30, cursor: nextCursor } }))
    expect(new Set([...data.items, ...rest.data.items].map(({ id }) => id)).size).toBe(50)
  })
})
