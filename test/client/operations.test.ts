import { type Client, createClient, type DataOf, type List, type Page } from '@stagecraft/client'
import { API_OPERATIONS, type OperationId, type UnitResource } from '@stagecraft/spec/api'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { ARCHIVE, FILE, operationOf, startApi } from './api-stub.ts'
import { failureOf } from './failure-of.ts'
import { clientOf, KEY, send, startStub, success } from './stub.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const P = '/v1/projects/proj_1'
const C = `${P}/assistant/conversations`

/** Every method that calls once, with what it sends. */
const CALLS: readonly (readonly [string, (client: Client) => Promise<unknown>, unknown?])[] = [
  ['POST /v1/projects', (client) => client.projects.create({ name: 'a' }), { name: 'a' }],
  ['GET /v1/projects', (client) => client.projects.list().page()],
  ['GET /v1/projects/proj_2', (client) => client.projects.get('proj_2')],
  ['PATCH /v1/projects/proj_2', (client) => client.projects.update('proj_2', { git: null }), { git: null }],
  ['DELETE /v1/projects/proj_2', (client) => client.projects.delete('proj_2')],
  [
    `POST ${P}/keys`,
    (client) => client.keys.create({ name: 'ci', scopes: ['read'] }),
    { name: 'ci', scopes: ['read'] },
  ],
  [`GET ${P}/keys?limit=9`, (client) => client.keys.list({ limit: 9 }).page()],
  [
    `POST ${P}/keys/key_1/rotate`,
    (client) => client.keys.rotate('key_1', { overlapSeconds: 60 }),
    { overlapSeconds: 60 },
  ],
  [`GET ${P}/activity?hours=2`, (client) => client.projects.activity({ hours: 2 })],
  [`DELETE ${P}/keys/key_1`, (client) => client.keys.revoke('key_1')],
  [`GET ${P}/audit-log?outcome=refused`, (client) => client.auditLog.list({ outcome: 'refused' }).page()],
  ['POST /v1/session', (client) => client.sessions.create({ key: KEY }), { key: KEY }],
  ['GET /v1/session', (client) => client.sessions.get()],
  ['DELETE /v1/session', (client) => client.sessions.delete()],
  [
    `POST ${P}/connections`,
    (client) => client.connections.create({ name: 'a', catalog: 'postgres://a/b' }),
    { name: 'a', catalog: 'postgres://a/b' },
  ],
  [`GET ${P}/connections`, (client) => client.connections.list().page()],
  [`GET ${P}/connections/conn_1`, (client) => client.connections.get('conn_1')],
  [
    `PATCH ${P}/connections/conn_1`,
    (client) => client.connections.update('conn_1', { name: 'b' }),
    { name: 'b' },
  ],
  [`DELETE ${P}/connections/conn_1`, (client) => client.connections.delete('conn_1')],
  [`POST ${P}/connections/conn_1/test`, (client) => client.connections.test('conn_1')],
  [`POST ${P}/scans`, (client) => client.scans.create(), {}],
  [`GET ${P}/scans?state=failed`, (client) => client.scans.list({ state: 'failed' }).page()],
  [`GET ${P}/scans/scan_1`, (client) => client.scans.get('scan_1')],
  [`POST ${P}/scans/scan_1/cancel`, (client) => client.scans.cancel('scan_1')],
  [`GET ${P}/sources?search=a+b%26`, (client) => client.sources.list({ search: 'a b&' }).page()],
  [
    `GET ${P}/suggestions?source=raw.orders`,
    (client) => client.sources.suggestions({ source: 'raw.orders' }).page(),
  ],
  [
    `GET ${P}/sources/raw.%22a%2Fb%22?connectionId=conn_1`,
    (client) => client.sources.get('raw."a/b"', { connectionId: 'conn_1' }),
  ],
  [
    `POST ${P}/units`,
    (client) => client.units.create({ type: 'staging', source: 'raw.a' }),
    { type: 'staging', source: 'raw.a' },
  ],
  [
    `POST ${P}/units/from-sources`,
    (client) => client.units.createMany({ type: 'staging', select: ['raw.*'] }),
    { type: 'staging', select: ['raw.*'] },
  ],
  [`GET ${P}/unit-count?state=failed`, (client) => client.units.count({ state: 'failed' })],
  [`GET ${P}/units`, (client) => client.units.list({ type: undefined }).page()],
  [`GET /v1/projects/proj_3/units/unit_1`, (client) => client.units.get('unit_1', { projectId: 'proj_3' })],
  [
    `GET ${P}/units/unit_1/explanation?columns=scan`,
    (client) => client.units.explain('unit_1', { columns: 'scan' }),
  ],
  [`PATCH ${P}/units/unit_1`, (client) => client.units.update('unit_1', { name: 'b' }), { name: 'b' }],
  [`DELETE ${P}/units/unit_1`, (client) => client.units.delete('unit_1')],
  [`POST ${P}/generations`, (client) => client.generations.create({ columns: 'scan' }), { columns: 'scan' }],
  [`GET ${P}/generations`, (client) => client.generations.list().page()],
  [`GET ${P}/generations/gen_1`, (client) => client.generations.get('gen_1')],
  [`POST ${P}/generations/gen_1/cancel`, (client) => client.generations.cancel('gen_1')],
  [
    `GET ${P}/generations/gen_1/files/models/a%20b.sql`,
    (client) => client.generations.file('gen_1', 'models/a b.sql'),
  ],
  [
    `GET ${P}/generations/gen_1/diff?with=gen_2`,
    (client) => client.generations.diff('gen_1', { with: 'gen_2' }),
  ],
  [`DELETE ${P}/generations/gen_1`, (client) => client.generations.delete('gen_1')],
  [`GET ${P}/archive`, (client) => client.generations.archive()],
  [
    `POST ${P}/pushes`,
    (client) => client.pushes.create({ branch: 'a', message: 'b' }),
    { branch: 'a', message: 'b' },
  ],
  [`GET ${P}/pushes`, (client) => client.pushes.list().page()],
  [`GET ${P}/pushes/push_1`, (client) => client.pushes.get('push_1')],
  [`POST ${P}/pushes/push_1/cancel`, (client) => client.pushes.cancel('push_1')],
  [`POST ${P}/analyses`, (client) => client.analyses.create({ branch: 'main' }), { branch: 'main' }],
  [`GET ${P}/analyses`, (client) => client.analyses.list().page()],
  [`GET ${P}/analyses/anl_1`, (client) => client.analyses.get('anl_1')],
  [
    `POST ${P}/analyses/anl_1/fixes`,
    (client) => client.analyses.fix('anl_1', { branch: 'fixes' }),
    { branch: 'fixes' },
  ],
  [`GET ${P}/assistant/settings`, (client) => client.assistant.settings()],
  [`GET ${P}/assistant/files/models/a.sql`, (client) => client.assistant.file('models/a.sql')],
  [
    `PATCH ${P}/assistant/settings`,
    (client) => client.assistant.update({ tokensPerDay: 9 }),
    { tokensPerDay: 9 },
  ],
  [`POST ${C}`, (client) => client.conversations.create(), {}],
  [`GET ${C}?limit=9`, (client) => client.conversations.list({ limit: 9 }).page()],
  [`GET ${C}/conv_1`, (client) => client.conversations.get('conv_1')],
  [`DELETE ${C}/conv_1`, (client) => client.conversations.delete('conv_1')],
  [`GET ${C}/conv_1/transcript`, (client) => client.conversations.transcript('conv_1')],
  [
    `POST ${C}/conv_1/messages`,
    (client) => client.messages.create('conv_1', { content: 'a?' }),
    { content: 'a?' },
  ],
  [`GET ${C}/conv_1/messages`, (client) => client.messages.list('conv_1').page()],
  [`GET ${C}/conv_1/messages/msg_1`, (client) => client.messages.get('conv_1', 'msg_1')],
  [
    `GET ${C}/conv_1/messages/msg_1/events`,
    async (client) => {
      for await (const message of client.messages.events('conv_1', 'msg_1')) return message
      throw new Error('expected a message, got the end')
    },
  ],
  [`POST ${C}/conv_1/messages/msg_1/cancel`, (client) => client.messages.cancel('conv_1', 'msg_1')],
  [`POST ${C}/conv_1/messages/msg_1/retry`, (client) => client.messages.retry('conv_1', 'msg_1')],
  [`GET ${P}/assistant/proposals`, (client) => client.proposals.list().page()],
  [`GET ${P}/assistant/proposals/prop_1`, (client) => client.proposals.get('prop_1')],
  [
    `POST ${P}/assistant/proposals/prop_1/apply`,
    (client) => client.proposals.apply('prop_1', { branch: 'a' }),
    { branch: 'a' },
  ],
  [`DELETE ${P}/assistant/proposals/prop_1`, (client) => client.proposals.discard('prop_1')],
  [`POST ${P}/analyses/anl_1/cancel`, (client) => client.analyses.cancel('anl_1')],
  [
    `GET ${P}/analyses/anl_1/findings?severity=error`,
    (client) => client.analyses.findings('anl_1', { severity: 'error' }).page(),
  ],
  [
    `GET ${P}/stream`,
    async (client) => {
      for await (const message of client.changes.stream()) return message
      throw new Error('expected a message, got the end')
    },
  ],
  ['GET /v1/events?event=scan.completed', (client) => client.events.list({ event: 'scan.completed' }).page()],
  ['GET /v1/events/evt_1', (client) => client.events.get('evt_1')],
  ['GET /v1/webhook-event-types', (client) => client.events.types()],
  [
    'POST /v1/webhooks',
    (client) =>
      client.webhooks.create({ url: 'https://example.com', events: ['scan.completed'], secret: SECRET }),
    { url: 'https://example.com', events: ['scan.completed'], secret: SECRET },
  ],
  ['GET /v1/webhooks', (client) => client.webhooks.list().page()],
  ['GET /v1/webhook-stats', (client) => client.webhooks.allStats()],
  ['GET /v1/webhooks/whk_1', (client) => client.webhooks.get('whk_1')],
  [
    'PATCH /v1/webhooks/whk_1',
    (client) => client.webhooks.update('whk_1', { description: 'a' }),
    { description: 'a' },
  ],
  ['DELETE /v1/webhooks/whk_1', (client) => client.webhooks.delete('whk_1')],
  ['POST /v1/webhooks/whk_1/rotate-secret', (client) => client.webhooks.rotateSecret('whk_1'), {}],
  ['POST /v1/webhooks/whk_1/test', (client) => client.webhooks.test('whk_1'), {}],
  ['POST /v1/webhooks/whk_1/pause', (client) => client.webhooks.pause('whk_1')],
  ['POST /v1/webhooks/whk_1/enable', (client) => client.webhooks.enable('whk_1')],
  [
    'POST /v1/webhooks/whk_1/replay',
    (client) => client.webhooks.replay('whk_1', { since: '2026-11-20T00:00:00Z' }),
    { since: '2026-11-20T00:00:00Z' },
  ],
  ['GET /v1/webhooks/whk_1/stats', (client) => client.webhooks.stats('whk_1')],
  [
    'GET /v1/webhooks/whk_1/deliveries?state=pending',
    (client) => client.webhooks.deliveries('whk_1', { state: 'pending' }).page(),
  ],
  ['GET /v1/webhook-deliveries?status=500', (client) => client.deliveries.list({ status: 500 }).page()],
  [
    'POST /v1/webhook-deliveries/redeliver',
    (client) => client.deliveries.redeliverMany({ dryRun: true }),
    { dryRun: true },
  ],
  ['GET /v1/webhook-deliveries/dlv_1', (client) => client.deliveries.get('dlv_1')],
  ['GET /v1/webhook-deliveries/dlv_1/request', (client) => client.deliveries.request('dlv_1')],
  ['POST /v1/webhook-deliveries/dlv_1/redeliver', (client) => client.deliveries.redeliver('dlv_1')],
]

const NAMED_CALLS = CALLS.map(([line, call, body]) => ({ line, call, body }))

const IN_PROJECT = { projectId: 'proj_1' } as const

describe('every operation', () => {
  test('has a method in the client', () => {
    const called = CALLS.map(([line]) => operationOf(...(line.split(' ') as [string, string])))
    expect(called.toSorted()).toEqual(Object.keys(API_OPERATIONS).toSorted())
  })

  test.each(NAMED_CALLS)('$line', async ({ body, call, line }) => {
    const stub = await startApi()
    await call(clientOf(stub, IN_PROJECT))
    expect(stub.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([line])
    const [request] = stub.requests
    const { isCreation = false } = API_OPERATIONS[operationOf(request?.method, request?.url)] as {
      isCreation?: true
    }
    expect(stub.bodies).toEqual([body === undefined ? '' : JSON.stringify(body)])
    expect(request?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(request?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json')
    expect(request?.headers['idempotency-key'] ?? '').toMatch(isCreation ? /^[0-9a-f]{32}$/ : /^$/)
  })

  test.each(NAMED_CALLS)('accepts additions of a newer service: $line', async ({ call }) => {
    const stub = await startApi({ isWhole: true, isNewer: true })
    const data = await call(clientOf(stub, IN_PROJECT))
    const isFile = typeof data === 'string' || data instanceof Uint8Array
    expect(isFile || JSON.stringify(data).includes('addedLater')).toBe(true)
  })
})

describe('paths', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom('.', '..', '%2e%2e', '%2F', 'a/b', '\\', '?', '#', 'a b', '\0', 'é😀', '\u{d800}'),
  )

  test('are escaped or refused', async () => {
    const stub = await startApi()
    const client = clientOf(stub, IN_PROJECT)
    await fc.assert(
      fc.asyncProperty(text, fc.array(text, { minLength: 1, maxLength: 4 }), async (id, names) => {
        const before = stub.requests.length
        const path = names.join('/')
        const segments = path.split('/')
        const isFine = [id, ...segments].every(
          (part) => !['', '.', '..'].includes(part) && part.isWellFormed(),
        )
        if (!isFine) {
          expect((await failureOf(client.generations.file(id, path))).code).toBe('INVALID_REQUEST')
          expect(stub.requests).toHaveLength(before)
          return
        }
        expect(await client.generations.file(id, path)).toBe(FILE)
        const parts = (stub.requests.at(-1)?.url ?? '').split('/').map(decodeURIComponent)
        expect(parts).toEqual(['', 'v1', 'projects', 'proj_1', 'generations', id, 'files', ...segments])
      }),
      { numRuns: 200 },
    )
  })

  test('report all faults at once', async () => {
    const client = clientOf({ url: 'https://stagecraft.example.com' }, { projectId: '' })
    const error = await failureOf(client.generations.file('..', '/etc/passwd'))
    expect(error.details?.faults?.map(({ path }) => path)).toEqual(['projectId', 'generationId', 'path'])
    expect((await failureOf(client.projects.get(undefined as never))).message).toContain('got nothing')
  })
})

describe('answers', () => {
  test('of text and bytes are unchanged', async () => {
    const client = clientOf(await startApi(), IN_PROJECT)
    expect(await client.generations.file('gen_1', 'a.sql')).toBe(FILE)
    expect(await client.generations.archive()).toEqual(ARCHIVE)
  })

  test('of call include meta', async () => {
    const client = clientOf(await startApi(), IN_PROJECT)
    const { data, meta } = await client.call('getUnit', { params: { unitId: 'unit_1' } })
    expect([data.id, meta.requestId]).toEqual(['unit_0a', 'req_1'])
    await expect(client.call('listEvents')).resolves.toHaveProperty('data.items')
  })

  test('may have new words', async () => {
    const event = {
      id: 'evt_1',
      event: 'unit.renamed',
      created_at: '2026-11-21T09:30:00.000Z',
      project_id: 'proj_1',
    }
    const stub = await startStub(send(200, success({ ...event, data: {} })))
    expect((await clientOf(stub).events.get('evt_1')).event).toBe('unit.renamed')
  })

  test.each<readonly [string, unknown, string]>([
    ['a member of another type', { id: 'unit_1', deleted: 'yes' }, 'data.deleted'],
    ['an id of something else', { id: 7, deleted: true }, 'data.id'],
    ['no data', undefined, 'with data not'],
  ])('are checked: %s', async (_, data, reason) => {
    const stub = await startStub(send(200, success(data)))
    const error = await failureOf(clientOf(stub, IN_PROJECT).units.delete('unit_1'))
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', details: { host: stub.host } })
    expect(error.message).toContain(reason)
    expect(stub.requests).toHaveLength(1)
  })

  test.each<readonly [string, Record<string, string>, string]>([
    ['of another type', { 'content-type': 'text/html' }, 'with text/html and not application/zip'],
    ['of no type', {}, 'with no media type'],
    [
      'too large',
      { 'content-type': 'application/zip', 'content-length': String(2 ** 28 + 1) },
      'larger than 256 MB',
    ],
  ])('are checked: an archive %s', async (_, headers, reason) => {
    const stub = await startStub(send(200, 'x', headers))
    const error = await failureOf(clientOf(stub, IN_PROJECT).generations.archive())
    expect(error.code).toBe('CONNECTION_FAILED')
    expect(error.message).toContain(reason)
    expect(stub.requests).toHaveLength(1)
  })
})

test('types follow the operations', () => {
  type Create = Client['units']['create']
  expectTypeOf<Parameters<Create>[0]['type']>().toEqualTypeOf<'staging' | 'base' | 'snapshot'>()
  expectTypeOf<Awaited<ReturnType<Create>>>().toEqualTypeOf<UnitResource>()
  expectTypeOf<ReturnType<Client['units']['list']>>().toEqualTypeOf<List<UnitResource>>()
  expectTypeOf<Parameters<Client['generations']['file']>[1]>().toEqualTypeOf<string>()
  expectTypeOf<DataOf<'getGeneratedFile'>>().toEqualTypeOf<string>()
  expectTypeOf<DataOf<'getArchive'>>().toEqualTypeOf<Uint8Array<ArrayBuffer>>()
  expectTypeOf<Page<UnitResource>['nextCursor']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<DataOf<OperationId>>().not.toBeAny()
  const wrong = (client: Client): readonly unknown[] => [
    // @ts-expect-error a creation takes no version
    client.units.create({ type: 'staging', source: 'a' }, { ifMatch: 1 }),
    // @ts-expect-error it needs its subject
    client.units.get(),
    // @ts-expect-error there is no such state
    client.scans.list({ state: 'done' }),
    // @ts-expect-error webhooks are in no path of a project
    client.webhooks.get('whk_1', { projectId: 'proj_1' }),
    // @ts-expect-error it has parameters
    client.call('getUnit'),
  ]
  expect(wrong).toBeTypeOf('function')
})

describe('a page of the service', () => {
  test('sends no key, and the header that only such a page can send', async () => {
    const stub = await startApi()
    const client = createClient({ baseUrl: stub.url, session: true, projectId: 'proj_1' })
    await client.units.get('unit_1')
    const { authorization, 'x-stagecraft': header } = stub.requests[0]?.headers ?? {}
    expect({ authorization, header }).toEqual({ authorization: undefined, header: '1' })
  })

  test('does not contain a key', () => {
    const options = { baseUrl: 'https://stagecraft.example.com', session: true, apiKey: KEY }
    expect(() => createClient(options)).toThrow('expected no key together with session')
  })
})
