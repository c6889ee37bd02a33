import { inspect } from 'node:util'
import { expect, test, vi } from 'vitest'
import { locateCatalog } from '../open.ts'
import { parseAddress } from '../network/address.ts'
import { REDSHIFT } from '../network/servers.ts'
import { findLogin } from './iam.ts'

const HOST = 'shop.abc123.eu-west-1.redshift.amazonaws.com'
const SERVERLESS = 'wg.123456789012.eu-west-1.redshift-serverless.amazonaws.com'
const KEYS = 'access_key_id=AKIA1&secret_access_key=canary-s3cret'

interface Call {
  readonly url: string
  readonly headers: Headers
  readonly body: string
}

/** AWS as far as its two protocols go; it answers in turn. */
function fakeAws(...answers: readonly (() => Response)[]) {
  const calls: Call[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input).href
    calls.push({ url, headers: new Headers(init?.headers), body: init?.body as string })
    const answer = answers[calls.length - 1] ?? answers.at(-1)
    return answer?.() ?? new Response('', { status: 500 })
  }
  return { calls, fetch }
}

const xml =
  (name: string, fields: string, status = 200) =>
  () =>
    new Response(`<${name}Response xmlns="x"><${name}Result>${fields}</${name}Result></${name}Response>`, {
      status,
    })
const granted = (password: string) =>
  xml(
    'GetClusterCredentials',
    `<DbUser>IAM:me</DbUser><DbPassword>${password}</DbPassword><Expiration>2026-11-23T01:00:00Z</Expiration>`,
  )

const find = (text: string, fetch: typeof globalThis.fetch, environment = {}) =>
  findLogin(parseAddress(text, REDSHIFT), { environment, fetch })

test('requests a password for a user of the cluster and region in the host', async () => {
  const { calls, fetch } = fakeAws(granted('a&amp;b&lt;&#x2F;'))
  const login = await find(
    `redshift://me@${HOST}/raw?method=iam&${KEYS}&autocreate=true&db_groups=readers,%20loaders`,
    fetch,
  )
  expect([login.user, await login.password()]).toEqual(['IAM:me', 'a&b</'])
  expect(calls).toHaveLength(1)
  expect(calls[0]?.url).toBe('https://redshift.eu-west-1.amazonaws.com/')
  expect(calls[0]?.headers.get('authorization')).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIA1\/\d{8}\/eu-west-1\/redshift\/aws4_request, SignedHeaders=[\w;-]+, Signature=[\da-f]{64}$/,
  )
  expect(Object.fromEntries(new URLSearchParams(calls[0]?.body))).toEqual({
    Action: 'GetClusterCredentials',
    Version: '2012-12-01',
    ClusterIdentifier: 'shop',
    DbName: 'raw',
    DbUser: 'me',
    AutoCreate: 'true',
    'DbGroups.DbGroup.1': 'readers',
    'DbGroups.DbGroup.2': 'loaders',
  })
})

test('requests a password as the role, behind a host with another name', async () => {
  const { calls, fetch } = fakeAws(
    xml('GetClusterCredentialsWithIAM', '<DbUser>IAMR:loader</DbUser><DbPassword>p</DbPassword>'),
  )
  const login = await find(
    `redshift://warehouse.example.com/raw?method=iam_role&cluster_id=shop&region=us-east-2&${KEYS}`,
    fetch,
  )
  expect(login.user).toBe('IAMR:loader')
  expect(calls[0]?.url).toBe('https://redshift.us-east-2.amazonaws.com/')
  expect(calls[0]?.body).toBe(
    'Action=GetClusterCredentialsWithIAM&Version=2012-12-01&ClusterIdentifier=shop&DbName=raw',
  )
})

test('requests a password for a workgroup, after assuming a role', async () => {
  const { calls, fetch } = fakeAws(
    xml(
      'AssumeRole',
      '<Credentials><AccessKeyId>ASIA2</AccessKeyId><SecretAccessKey>k</SecretAccessKey><SessionToken>t0ken</SessionToken></Credentials>',
    ),
    () => Response.json({ dbUser: 'IAMR:x', dbPassword: 'p', expiration: 1.7e9 }),
  )
  const role = encodeURIComponent('arn:aws:iam::123456789012:role/reader')
  const text = `redshift://${SERVERLESS}/raw?method=iam&${KEYS}&assume_role_arn=${role}&assume_role_external_id=e1`
  expect(await find(text, fetch)).toMatchObject({ user: 'IAMR:x' })
  expect(calls.map(({ url }) => url)).toEqual([
    'https://sts.eu-west-1.amazonaws.com/',
    'https://redshift-serverless.eu-west-1.amazonaws.com/',
  ])
  expect(Object.fromEntries(new URLSearchParams(calls[0]?.body))).toEqual({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: 'arn:aws:iam::123456789012:role/reader',
    RoleSessionName: 'stagecraft',
    ExternalId: 'e1',
  })
  const { body, headers } = calls[1] ?? { body: '', headers: new Headers() }
  expect(headers.get('x-amz-target')).toBe('RedshiftServerless.GetCredentials')
  expect(headers.get('authorization')).toContain('Credential=ASIA2/')
  expect(headers.get('x-amz-security-token')).toBe('t0ken')
  expect(JSON.parse(body)).toEqual({ workgroupName: 'wg', dbName: 'raw' })
})

test('requests a new password before the old one expires', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const { calls, fetch } = fakeAws(granted('first'), granted('second'))
    const login = await find(`redshift://me@${HOST}/raw?method=iam&${KEYS}`, fetch)
    expect([await login.password(), await login.password()]).toEqual(['first', 'first'])
    vi.setSystemTime(Date.now() + 11 * 60_000)
    expect([await login.password(), calls.length]).toEqual(['second', 2])
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  [
    'AccessDenied',
    'User: arn:aws:iam::1:user/x is not authorized to perform: redshift:GetClusterCredentials',
    /not authorized to perform: redshift:GetClusterCredentials; check redshift:GetClusterCredentials in IAM/,
  ],
  ['ClusterNotFound', 'Cluster shop not found.', /check the options cluster_id and region$/],
  [
    'SignatureDoesNotMatch',
    'canary of what was signed',
    /failed with SignatureDoesNotMatch; check the access key/,
  ],
])('gives a remedy if AWS returns %s', async (code, message, told) => {
  const body = `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`
  const { fetch } = fakeAws(() => new Response(body, { status: 403 }))
  const error: unknown = await find(`redshift://me@${HOST}/raw?method=iam&${KEYS}`, fetch).catch(
    (caught: unknown) => caught,
  )
  expect(error).toMatchObject({ code: 'CONNECTION_FAILED', message: expect.stringMatching(told) as string })
  expect(inspect(error)).not.toContain('canary')
})

test.each([
  [`redshift://me@${HOST}/raw?method=okta`, 'method: expected database, iam or iam_role'],
  [`redshift://${HOST}/raw?method=iam&${KEYS}`, 'user: expected the database user'],
  [`redshift://me@h/raw?method=iam&region=eu-west-1&${KEYS}`, 'cluster_id: expected a name'],
  [`redshift://me@h/raw?method=iam&cluster_id=c&${KEYS}`, 'region: expected a region'],
  [`redshift://me@h/raw?method=iam&cluster_id=c&region=evil.example/&${KEYS}`, 'region: expected a region'],
  [`redshift://me@${HOST}/raw?method=iam&secret_access_key=canary`, 'got only some of them'],
  [`redshift://me@${HOST}/raw?method=iam&session_token=canary`, 'got only some of them'],
  [
    `redshift://me@${HOST}/raw?method=iam&assume_role_arn=x&${KEYS}`,
    'assume_role_arn: expected the ARN of a role',
  ],
])('refuses %s', async (text, message) => {
  const { calls, fetch } = fakeAws()
  const error: unknown = await find(text, fetch).catch((caught: unknown) => caught)
  expect(error).toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining(message) as string,
  })
  expect(inspect(error)).not.toContain('canary')
  expect(calls).toEqual([])
})

test('distinguishes keys in the address from those of the machine', () => {
  const borrows = (query: string) => locateCatalog(`redshift://me@${HOST}/raw${query}`).borrowsPassword
  expect(['', `?method=iam&${KEYS}`].map(borrows)).toEqual([false, false])
  expect(
    ['?method=iam', '?method=iam_role', '?method=iam&access_key_id=AKIA1', '?method=iam&profile=x'].map(
      borrows,
    ),
  ).toEqual([true, true, true, true])
})
