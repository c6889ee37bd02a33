import { expect, onTestFinished, test, vi } from 'vitest'
import type { SnowflakeDriver } from './driver-types.ts'
import { snowflake } from './snowflake.ts'

/** The driver without a server: it answers every statement with one schema, or as told. */
function fakeDriver(overrides: { connect?: () => Promise<void>; hangs?: boolean } = {}) {
  const seen = {
    options: {} as Record<string, unknown>,
    configured: {} as object,
    executed: [] as object[],
    cancelled: 0,
    destroyed: 0,
  }
  const driver: SnowflakeDriver = {
    configure: (options) => (seen.configured = options),
    createConnection: (options) => {
      seen.options = options
      return {
        connectAsync: overrides.connect ?? (async () => undefined),
        execute: ({ complete, ...options }) => {
          seen.executed.push(options)
          const isQuery = options.sqlText === 'select 1'
          if (!(isQuery && overrides.hangs)) complete(undefined, undefined, [{ SCHEMA_NAME: 'SHOP' }])
          return {
            cancel: (done) => {
              seen.cancelled++
              done(undefined)
            },
          }
        },
        destroy: (done) => {
          seen.destroyed++
          done(undefined)
        },
      }
    },
  }
  return { driver, seen }
}

test('signs in with a password through the driver, without a log', async () => {
  const { driver, seen } = fakeDriver()
  const catalog = await snowflake({
    text: 'snowflake://me:s3cret@org-acct/RAW/SHOP?role=R&warehouse=W&passcode=123456',
    driver,
  })
  expect(seen.configured).toEqual({ logLevel: 'OFF', additionalLogToConsole: false })
  expect(seen.options).toMatchObject({
    account: 'org-acct',
    accessUrl: 'https://org-acct.snowflakecomputing.com:443',
    username: 'me',
    password: 's3cret',
    authenticator: 'SNOWFLAKE',
    passcode: '123456',
    role: 'R',
    warehouse: 'W',
    database: 'RAW',
    schema: 'SHOP',
    retryTimeout: 0,
  })
  expect(seen.executed[0]).toMatchObject({
    parameters: { QUERY_TAG: 'stagecraft', STATEMENT_TIMEOUT_IN_SECONDS: 300 },
  })
  await catalog.close()
  expect(seen.destroyed).toBe(1)
})

test.each([
  ['externalbrowser', 'EXTERNALBROWSER'],
  ['username_password_mfa', 'USERNAME_PASSWORD_MFA'],
  ['workload_identity', 'WORKLOAD_IDENTITY'],
  ['https://acme.okta.com', 'https://acme.okta.com'],
])('passes on the authenticator %s', async (authenticator, expected) => {
  const { driver, seen } = fakeDriver()
  const text = `snowflake://me@a/RAW?authenticator=${encodeURIComponent(authenticator)}&workload_identity_entra_resource=api`
  await snowflake({ text, driver })
  expect(seen.options).toMatchObject({
    authenticator: expected,
    workloadIdentityAzureEntraIdResource: 'api',
  })
})

test('gives the token of a workload to the driver, not to the SQL API', async () => {
  const { driver, seen } = fakeDriver()
  const text =
    'snowflake://a/RAW?authenticator=workload_identity&workload_identity_provider=OIDC&token=canary'
  await snowflake({ text, driver })
  expect(seen.options).toMatchObject({
    authenticator: 'WORKLOAD_IDENTITY',
    workloadIdentityProvider: 'OIDC',
    token: 'canary',
  })
})

test('names the methods of signing in, where it does not know one', async () => {
  const text = 'snowflake://me:canary@a/RAW?authenticator=kerberos'
  await expect(snowflake({ text })).rejects.toThrow(
    /^authenticator: expected one of snowflake, username_password_mfa, .* got kerberos$/,
  )
})

test.each([
  ['http://acme.okta.com', 'got another protocol'],
  ['https://me:canary@acme.okta.com', 'got another address'],
  ['https://acme.okta.com/app?to=evil.example', 'got another address'],
  ['https://', 'got another address'],
  ['ftp:x', 'got another protocol'],
])('refuses the authenticator %s before the driver sees a password', async (authenticator, message) => {
  const { driver, seen } = fakeDriver()
  const text = `snowflake://me:canary@a/RAW?authenticator=${encodeURIComponent(authenticator)}`
  await expect(snowflake({ text, driver })).rejects.toThrow(
    /^authenticator: expected https:\/\/<name>\.okta\.com[^@]*$/,
  )
  await expect(snowflake({ text, driver })).rejects.toThrow(message)
  expect(seen.options).toEqual({})
})

const WITH_OKTA = (host: string): string =>
  `snowflake://me:canary@acct/RAW?authenticator=${encodeURIComponent(`https://${host}`)}`

test("connects only to hosts that the caller's network allows, and not to names that may change", async () => {
  const { driver, seen } = fakeDriver()
  const asked: string[] = []
  const fetch = (closed: string) =>
    (async (input: URL) => {
      asked.push(input.href)
      if (input.hostname === closed)
        throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'UNSAFE_ADDRESS' }) })
      return new Response(null, { status: 302 })
    }) as unknown as typeof globalThis.fetch
  const open = (host: string, closed = ''): Promise<unknown> =>
    snowflake({ text: WITH_OKTA(host), driver, fetch: fetch(closed) })
  for (const closed of ['acct.snowflakecomputing.com', 'acme.okta.com'])
    await expect(open('acme.okta.com', closed)).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      details: { reason: 'this service may not connect to its address' },
    })
  for (const host of ['169.254.169.254', 'sso.example.com', 'okta.com.evil.example', 'evil-okta.com'])
    await expect(open(host)).rejects.toThrow(`authenticator: expected a host of okta.com`)
  expect(seen.options).toEqual({})
  await open('acme.okta.com')
  expect(seen.options).toMatchObject({ authenticator: 'https://acme.okta.com' })
  expect(new Set(asked)).toEqual(new Set(['https://acct.snowflakecomputing.com/', 'https://acme.okta.com/']))
})

test.each(['evil.example%2F', 'evil.example%3F', 'me%40evil.example%23'])(
  "sends no password to a host that only looks like Snowflake's: %s",
  async (host) => {
    const { driver, seen } = fakeDriver()
    const text = `snowflake://me:canary@${host}.snowflakecomputing.com/RAW`
    await expect(snowflake({ text, driver })).rejects.toThrow(/^catalog: expected [^@]*$/)
    expect(seen.options).toEqual({})
  },
)

test("turns off the driver's telemetry before loading it, unless it is configured", async () => {
  const names = ['SF_TELEMETRY_DISABLE_CONNECTION_SHAPE', 'SNOWFLAKE_DISABLE_PLATFORM_DETECTION']
  for (const name of names) vi.stubEnv(name, undefined)
  vi.stubEnv('SNOWFLAKE_DISABLE_MINICORE', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(snowflake({ text: 'snowflake://me:canary@a/RAW' })).rejects.toThrow(
    'this method of signing in to Snowflake needs the package snowflake-sdk, which cannot be loaded; run: npm install snowflake-sdk, or sign in without it: with a key pair (private_key_path)',
  )
  expect(names.map((name) => process.env[name])).toEqual(['true', 'true'])
  expect(process.env['SNOWFLAKE_DISABLE_MINICORE']).toBe('')
})

test('cancels a statement in Snowflake if the caller stops', async () => {
  const { driver, seen } = fakeDriver({ hangs: true })
  const catalog = await snowflake({ text: 'snowflake://me:x@a/RAW', driver })
  const caller = new AbortController()
  const waiting = catalog.query?.('select 1', { signal: caller.signal })
  await expect.poll(() => seen.executed.length).toBe(2)
  caller.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  expect(seen.cancelled).toBe(1)
})

test("reports why signing in failed, without the driver's error details", async () => {
  const connect = async (): Promise<void> => {
    throw Object.assign(new Error('Incorrect username or password was specified.'), {
      code: 390100,
      request: 's3cret',
    })
  }
  const failure = snowflake({ text: 'snowflake://me:s3cret@a/RAW', driver: fakeDriver({ connect }).driver })
  await expect(failure).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    message: expect.stringContaining('password authentication failed for user me') as string,
  })
})

test('sends passwords to no other host', async () => {
  const { driver, seen } = fakeDriver()
  await expect(snowflake({ text: 'snowflake://me:x@169.254.169.254/RAW?account=a', driver })).rejects.toThrow(
    'expected a host of snowflakecomputing.com for this method of signing in, got 169.254.169.254',
  )
  expect(seen.options).toEqual({})
})

test('names a missing driver, and the methods without a driver', async () => {
  await expect(snowflake({ text: 'snowflake://me:x@a/RAW' })).rejects.toThrow(
    /needs the package snowflake-sdk, .* or sign in without it: with a key pair/,
  )
})
