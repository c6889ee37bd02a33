import { createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { snowflake } from './snowflake.ts'

interface Sent {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

const rowType = [{ name: 'SCHEMA_NAME', type: 'text' }]
const SCHEMAS = { data: [['SHOP']], resultSetMetaData: { rowType } }

/** Answers as the SQL API does: first that the statement is under way, then what `result` gives for it. */
function server(result: (sent: Sent) => readonly [status: number, body: object] = () => [200, SCHEMAS]) {
  const sent: Sent[] = []
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const text = typeof init.body === 'string' ? init.body : '{}'
    const body = (text.startsWith('{') ? JSON.parse(text) : { text }) as Sent['body']
    const one = {
      method: init.method ?? 'GET',
      url: new URL(url instanceof Request ? url.url : url),
      headers: new Headers(init.headers),
      body,
    }
    sent.push(one)
    init.signal?.throwIfAborted()
    const isStart = one.method === 'POST' && one.url.pathname === '/api/v2/statements'
    const [status, answer] = isStart ? [202, { statementHandle: 'h/1' }] : result(one)
    return Response.json(answer, { status })
  }
  return { sent, fetch }
}

const TEXT = 'snowflake://me@my_org-acct/RAW/SHOP?warehouse=WH&role=R&authenticator=oauth&token=canary'

test('sends statements with tag, limits and binds to the host of the account, and polls until they finish', async () => {
  let asked = 0
  const { fetch, sent } = server(() => (++asked === 1 ? [202, {}] : [200, SCHEMAS]))
  const catalog = await snowflake({ text: TEXT, fetch })
  expect(sent.map(({ method, url }) => `${method} ${url.origin}${url.pathname}`)).toEqual([
    'POST https://my-org-acct.snowflakecomputing.com/api/v2/statements',
    'GET https://my-org-acct.snowflakecomputing.com/api/v2/statements/h%2F1',
    'GET https://my-org-acct.snowflakecomputing.com/api/v2/statements/h%2F1',
  ])
  expect(sent[0]?.url.searchParams.get('async')).toBe('true')
  expect(sent[0]?.url.searchParams.get('requestId')).toMatch(/^[\da-f-]{36}$/)
  expect(sent[0]?.body).toMatchObject({
    timeout: 300,
    database: 'RAW',
    schema: 'SHOP',
    warehouse: 'WH',
    role: 'R',
    parameters: { query_tag: 'stagecraft' },
  })
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer canary')
  expect(sent[0]?.headers.get('x-snowflake-authorization-token-type')).toBe('OAUTH')
  sent.length = 0
  await catalog.tables({})
  expect(sent.filter(({ method }) => method === 'POST').map(({ body }) => body['bindings'])).toEqual([
    undefined, // the schemas
    { 1: { type: 'TEXT', value: 'SHOP' } },
    { 1: { type: 'TEXT', value: 'SHOP' } },
    undefined,
    undefined,
    undefined,
  ])
})

test('reads names like Snowflake: in upper case, unless they are quoted or need it', async () => {
  const { fetch, sent } = server()
  const text = 'snowflake://me@acct/raw/%22my%22?warehouse=load-wh&role=loader&authenticator=oauth&token=t'
  const catalog = await snowflake({ text, fetch })
  expect(sent[0]?.body).toMatchObject({ database: 'RAW', schema: 'my', warehouse: 'load-wh', role: 'LOADER' })
  sent.length = 0
  await catalog.query?.('select 1')
  expect(sent[0]?.body).toMatchObject({ database: 'RAW', schema: 'my' })
})

test('reads a result of several partitions, with the values of their types', async () => {
  const types = [
    'fixed',
    'fixed',
    'real',
    'boolean',
    'date',
    'time',
    'timestamp_ntz',
    'timestamp_tz',
    'variant',
  ]
  const cells = [
    '12',
    '12345678901234567890',
    '0.5',
    'true',
    '19782',
    '82919.250000000',
    '1709210096.000000000',
    '1616173619.000000001 960',
    '{"a":1}',
  ]
  const resultSetMetaData = {
    rowType: types.map((type, index) => ({ name: `C${index}`, type })),
    partitionInfo: [{ uncompressedSize: 10 }, { uncompressedSize: 10 }],
  }
  const { fetch } = server(({ url }) =>
    url.searchParams.has('partition')
      ? [200, { data: [types.map(() => null)] }]
      : [200, { data: [cells], resultSetMetaData }],
  )
  const catalog = await snowflake({ text: TEXT, fetch })
  const rows = await catalog.query?.('select 1')
  expect(rows?.map((row) => Object.values(row))).toEqual([
    [
      12,
      '12345678901234567890',
      0.5,
      true,
      '2024-02-29',
      '23:01:59.25',
      '2024-02-29 12:34:56',
      '2021-03-19T17:06:59.000000001Z',
      '{"a":1}',
    ],
    types.map(() => null),
  ])
})

test('cancels a statement in Snowflake if the caller stops', async () => {
  const caller = new AbortController()
  let isOpen = false
  const { fetch, sent } = server(({ url }) => {
    if (!isOpen) return [200, SCHEMAS]
    if (!url.pathname.endsWith('/cancel')) caller.abort(new Error('enough'))
    return [202, {}]
  })
  const catalog = await snowflake({ text: TEXT, fetch })
  isOpen = true
  await expect(catalog.query?.('select 1', { signal: caller.signal })).rejects.toThrow('enough')
  await expect.poll(() => sent.at(-1)?.url.pathname).toBe('/api/v2/statements/h%2F1/cancel')
})

test.each([
  [{ code: '390144', message: 'JWT token is invalid.' }, 'the key pair of user me was rejected'],
  [
    { code: '391920', message: 'Unable to run the command. You must specify the warehouse to use' },
    'no warehouse is active',
  ],
  [{ code: '390303', message: 'Invalid OAuth access token.' }, 'the token is invalid or expired'],
  [
    { code: '002003', message: "Database 'RAW' does not exist or not authorized." },
    'does not exist, or the role may not',
  ],
  [{ code: '001003', message: 'SQL compilation error:\nsyntax error' }, 'SQL compilation error:'],
  [{ code: '1', message: 'token canary is bad' }, 'the driver gave no reason'],
  [{}, 'it answered with status 422'],
])('reports why it refuses: %j', async (body, message) => {
  const { fetch } = server(() => [422, body])
  const error: unknown = await snowflake({ text: TEXT, fetch }).catch((caught: unknown) => caught)
  expect(error).toMatchObject({
    code: 'CONNECTION_FAILED',
    message: expect.stringContaining(message) as string,
  })
  expect(inspect(error)).not.toContain('canary')
})

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

test.each([
  ['PEM', { private_key: pem }],
  ['base64', { private_key: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64') }],
  [
    'PEM with a passphrase',
    {
      private_key: privateKey.export({
        type: 'pkcs8',
        format: 'pem',
        cipher: 'aes-256-cbc',
        passphrase: 'pass',
      }) as string,
      private_key_passphrase: 'pass',
    },
  ],
])('signs with a key pair in %s', async (_, options) => {
  const { fetch, sent } = server()
  const text = `snowflake://me@xy12345.eu-central-1/RAW?${new URLSearchParams(options).toString()}`
  await snowflake({ text, fetch })
  const [{ headers, url } = { headers: new Headers(), url: undefined }] = sent
  expect(url?.host).toBe('xy12345.eu-central-1.snowflakecomputing.com')
  expect(headers.get('x-snowflake-authorization-token-type')).toBe('KEYPAIR_JWT')
  const [head = '', claims = '', signature = ''] = headers.get('authorization')?.slice(7).split('.') ?? []
  const isSigned = createVerify('RSA-SHA256')
    .update(`${head}.${claims}`)
    .verify(createPublicKey(privateKey), signature, 'base64url')
  expect(isSigned).toBe(true)
  const { exp, iat, iss, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
    'exp' | 'iat',
    number
  > &
    Record<'iss' | 'sub', string>
  expect(sub).toBe('XY12345.ME')
  expect(iss).toMatch(/^XY12345\.ME\.SHA256:[\w+/]{43}=$/)
  expect(exp - iat).toBeLessThan(3600)
})

test('reads the key from a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'rsa.p8'), pem)
  const { fetch, sent } = server()
  const text = (file: string) =>
    `snowflake://me@acct/RAW?private_key_path=${encodeURIComponent(join(folder, file))}`
  await snowflake({ text: text('rsa.p8'), fetch })
  expect(sent[0]?.headers.get('authorization')).toMatch(/^Bearer ey/)
  await expect(snowflake({ text: text('no.p8'), fetch })).rejects.toThrow('no.p8')
})

test('gets an access token for the refresh token of a profile, once', async () => {
  const { fetch, sent } = server(({ url }) =>
    url.pathname === '/oauth/token-request' ? [200, { access_token: 'fresh' }] : [200, SCHEMAS],
  )
  const text = `${TEXT}&oauth_client_id=id&oauth_client_secret=hidden`
  const catalog = await snowflake({ text, fetch })
  await catalog.query?.('select 1')
  const asked = sent.filter(({ url }) => url.pathname === '/oauth/token-request')
  expect(asked.map(({ body, headers }) => [body['text'], headers.get('authorization')])).toEqual([
    ['grant_type=refresh_token&refresh_token=canary', `Basic ${Buffer.from('id:hidden').toString('base64')}`],
  ])
  expect(sent.at(-1)?.headers.get('authorization')).toBe('Bearer fresh')
})

test('uses a programmatic access token', async () => {
  const { fetch, sent } = server()
  await snowflake({ text: 'snowflake://me:pat@acct/RAW?authenticator=programmatic_access_token', fetch })
  expect(sent[0]?.headers.get('x-snowflake-authorization-token-type')).toBe('PROGRAMMATIC_ACCESS_TOKEN')
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer pat')
})

const LOCKED = encodeURIComponent(
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'another' },
  }).privateKey,
)

test.each([
  ['snowflake://me@acct?token=canary', 'expected snowflake://user@account/DATABASE'],
  ['snowflake://me@acct/RAW?private_key=canary', 'private_key: expected a private RSA key'],
  [`snowflake://me@acct/RAW?private_key=${LOCKED}`, 'got an encrypted key without private_key_passphrase'],
  [
    `snowflake://me@acct/RAW?private_key=${LOCKED}&private_key_passphrase=canary`,
    'got a key that this private_key_passphrase does not open',
  ],
  [
    'snowflake://me@acct/RAW',
    'expected a way to sign in: private_key_path, authenticator and token, or a password, got none',
  ],
  ['snowflake://acct/RAW?private_key=canary', 'user: expected the user of the key, got nothing'],
  ['snowflake://me@acct/RAW?authenticator=oauth', 'token: expected an OAuth token, got nothing'],
  [
    'snowflake://me@example.com/RAW?account=a&protocol=http&token=canary',
    'protocol: expected https, got http',
  ],
])('refuses %s', async (text, message) => {
  const error: unknown = await snowflake({ text, fetch: server().fetch }).catch((caught: unknown) => caught)
  expect(error).toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining(message) as string,
  })
  expect(inspect(error)).not.toContain('canary')
})
