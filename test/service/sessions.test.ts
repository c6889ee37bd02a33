import { expect, test } from 'vitest'
import type { ServiceContext } from '../../packages/service/src/context.ts'
import { createSignInCode, pruneSessions } from '../../packages/service/src/sessions/sessions.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { expectData, expectFailure } from '../http/expect-envelope.ts'
import { describeEachStore, type OpenStore } from './each-store.ts'
import { openTestContext } from './open-test-context.ts'
import { addProjectWithKey, serveContext } from './serve-context.ts'

const HOUR = 3_600_000
const FROM_PAGE = { 'x-stagecraft': '1', 'sec-fetch-site': 'same-origin' }

interface Asked {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The service as a browser sees it, which keeps its cookie and names the origin of its page. */
async function openPage(context: ServiceContext) {
  const { url } = await serveContext(context)
  const owner = await addProjectWithKey(context)
  let cookie = ''
  const ask = async (line: string, { body, headers = FROM_PAGE }: Asked = {}): Promise<Response> => {
    const [method = '', path = ''] = line.split(' ')
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(cookie !== '' && { cookie }),
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const set = response.headers.get('set-cookie')
    if (set !== null) cookie = set.split(';')[0] ?? ''
    return response
  }
  const signIn = () => ask('POST /v1/session', { body: { key: owner.secret } })
  return { ...owner, url, ask, signIn, cookie: () => cookie }
}

async function openAt(open: OpenStore) {
  let offset = 0
  const context = openTestContext(await open({ clockOffset: () => offset }))
  const wait = (milliseconds: number) => (offset += milliseconds)
  return { context, wait, page: await openPage(context) }
}

/** Makes every session one that was just used. */
async function useNow({ store }: ServiceContext): Promise<void> {
  await store.db
    .updateTable('sessions')
    .set({ last_seen_at: await store.now() })
    .execute()
}

await describeEachStore('sign-in', MIGRATIONS, (open) => {
  test('gives a cookie that stands for the key, with its scopes', async () => {
    const context = openTestContext(await open())
    const { ask, keyId, projectId, signIn } = await openPage(context)
    const response = await signIn()
    expect(response.headers.get('set-cookie')).toMatch(
      /^stagecraft=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    )
    const { data } = await expectData(response, 201)
    expect(data).toMatchObject({ projectId, keyId, scopes: expect.arrayContaining(['admin', 'read']) })
    expect((await expectData(await ask('GET /v1/session'))).data).toEqual(data)
    const body = { name: 'ci', scopes: ['read'] }
    expect((await ask(`POST /v1/projects/${projectId}/keys`, { body })).status).toBe(201)
    const rows = await context.store.db.selectFrom('sessions').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain((await signIn()).headers.get('set-cookie')?.slice(11, 54))
  })

  test('ends at sign-out, and with the key', async () => {
    const { ask, keyId, projectId, signIn, cookie } = await openPage(openTestContext(await open()))
    await signIn()
    const before = cookie()
    const out = await ask('DELETE /v1/session')
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await ask('GET /v1/session', { headers: { ...FROM_PAGE, cookie: before } })).status).toBe(401)
    await signIn()
    expect((await ask(`DELETE /v1/projects/${projectId}/keys/${keyId}`)).status).toBe(200)
    const { error } = await expectFailure(await ask('GET /v1/session'), 'UNAUTHORIZED')
    expect(error.details).toEqual({ reason: 'session' })
  })

  test('ends after 12 hours without use, and after 7 days', async () => {
    const { context, page, wait } = await openAt(open)
    await page.signIn()
    wait(6 * 24 * HOUR)
    await useNow(context)
    expect((await page.ask('GET /v1/session')).status).toBe(200)
    wait(25 * HOUR)
    await useNow(context)
    expect((await page.ask('GET /v1/session')).status).toBe(401)
    await page.signIn()
    wait(13 * HOUR)
    expect((await page.ask('GET /v1/session')).status).toBe(401)
    await pruneSessions(context)
    expect(await context.store.db.selectFrom('sessions').select('id').execute()).toEqual([])
  })

  test('notes its use', async () => {
    const { context, page, wait } = await openAt(open)
    await page.signIn()
    wait(2 * HOUR)
    await page.ask('GET /v1/session')
    const now = await context.store.now()
    const seen = async () =>
      (await context.store.db.selectFrom('sessions').select('last_seen_at').executeTakeFirstOrThrow())
        .last_seen_at
    await expect.poll(seen).toBeGreaterThan(now - HOUR)
  })

  test('is refused in the same words for every wrong key and code', async () => {
    const { ask, keyId, projectId, secret } = await openPage(openTestContext(await open()))
    await ask('POST /v1/session', { body: { key: secret } })
    await ask(`DELETE /v1/projects/${projectId}/keys/${keyId}`)
    const bodies = [{ key: 'x' }, { key: secret }, { code: 'x' }]
    const answers = await Promise.all(bodies.map((body) => ask('POST /v1/session', { body })))
    const errors = await Promise.all(answers.map((one) => expectFailure(one, 'UNAUTHORIZED')))
    expect(new Set(errors.map(({ error }) => error.message)).size).toBe(1)
    for (const body of [{}, { key: 'x', code: 'y' }])
      await expectFailure(await ask('POST /v1/session', { body }), 'INVALID_REQUEST')
  })

  test('by code is done once, within the hour, and before anybody has signed in', async () => {
    const { context, page, wait } = await openAt(open)
    const late = await createSignInCode(context)
    wait(2 * HOUR)
    await expectFailure(await page.ask('POST /v1/session', { body: { code: late } }), 'UNAUTHORIZED')
    const code = await createSignInCode(context)
    const answers = await Promise.all([1, 2, 3].map(() => page.ask('POST /v1/session', { body: { code } })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await createSignInCode(context)).toBeUndefined()
  })
})

const ATTACKS = [
  ['without the header', { 'sec-fetch-site': 'same-origin' }],
  ['from another site', { 'x-stagecraft': '1', 'sec-fetch-site': 'cross-site' }],
  ['from another host of the domain', { 'x-stagecraft': '1', 'sec-fetch-site': 'same-site' }],
  ['typed as an address', { 'x-stagecraft': '1', 'sec-fetch-site': 'none' }],
  ['of another origin', { 'x-stagecraft': '1', origin: 'https://evil.example.com' }],
  ['of a page without origin', { 'x-stagecraft': '1', origin: 'null' }],
  ['of nobody', { 'x-stagecraft': '1' }],
] as const

await describeEachStore('what another page makes a browser send', MIGRATIONS, (open) => {
  test.each(ATTACKS)('changes nothing: %s', async (_name, headers) => {
    const context = openTestContext(await open())
    const { ask, projectId, secret, signIn } = await openPage(context)
    await expectFailure(await ask('POST /v1/session', { body: { key: secret }, headers }), 'FORBIDDEN')
    await signIn()
    const body = { name: 'evil', scopes: ['admin'] }
    const failed = await ask(`POST /v1/projects/${projectId}/keys`, { body, headers })
    const { error } = await expectFailure(failed, 'FORBIDDEN')
    expect(error.details).toEqual({ reason: 'origin' })
    await expectFailure(await ask('DELETE /v1/session', { headers }), 'FORBIDDEN')
    expect(await context.store.db.selectFrom('api_keys').select('name').execute()).toHaveLength(1)
  })

  test('reads nothing', async () => {
    const { ask, signIn } = await openPage(openTestContext(await open()))
    await signIn()
    for (const site of ['cross-site', 'same-site'])
      await expectFailure(await ask('GET /v1/session', { headers: { 'sec-fetch-site': site } }), 'FORBIDDEN')
    expect((await ask('GET /v1/session', { headers: {} })).status).toBe(200)
  })

  test('is told from the dashboard in a browser without Sec-Fetch-Site by its origin', async () => {
    const { ask, secret, url } = await openPage(openTestContext(await open()))
    const headers = { 'x-stagecraft': '1', origin: url }
    expect((await ask('POST /v1/session', { body: { key: secret }, headers })).status).toBe(201)
  })

  test('cannot choose the session, and a key in the header counts before the cookie', async () => {
    const { ask, cookie, secret, signIn } = await openPage(openTestContext(await open()))
    await ask('GET /v1/session', { headers: { ...FROM_PAGE, cookie: 'stagecraft=chosen' } })
    await signIn()
    expect(cookie()).not.toContain('chosen')
    const twice = { ...FROM_PAGE, cookie: `${cookie()}; ${cookie()}x` }
    const foreign = { ...FROM_PAGE, authorization: 'Bearer x' }
    for (const headers of [twice, foreign])
      expect((await ask('GET /v1/session', { headers })).status).toBe(401)
    const withKey = { authorization: `Bearer ${secret}` }
    expect((await ask('DELETE /v1/session', { headers: withKey })).status).toBe(400)
    expect((await ask('GET /v1/session')).status).toBe(200)
  })

  test('is limited in number', async () => {
    const { ask } = await openPage(openTestContext(await open()))
    const asked = Array.from({ length: 60 }, () => ask('POST /v1/session', { body: { key: 'x' } }))
    const byStatus = Map.groupBy(await Promise.all(asked), ({ status }) => status)
    expect(new Set(byStatus.keys())).toEqual(new Set([401, 429]))
    expect(byStatus.get(401)?.length).toBeGreaterThanOrEqual(30)
  })
})
