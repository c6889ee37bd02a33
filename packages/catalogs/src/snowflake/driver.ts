import { loadPackage, StagecraftError } from '@stagecraft/spec'
import type { SnowflakeConnection, SnowflakeDriver, SnowflakeStatement } from './driver-types.ts'
import type { Address } from '../network/address.ts'
import { networkError } from '../network/http-json.ts'
import { httpOrigin } from '../network/http-origin.ts'
import { CONNECT_SECONDS } from '../network/connection-failed.ts'
import type { Row } from '../warehouse/statement.ts'
import { SnowflakeRefusal } from './failure.ts'
import { isOktaHost, isSnowflakeHost, oktaOf } from './hosts.ts'
import type { Run } from './sql-api.ts'

/** The time limit to sign in with a browser. */
const SIGN_IN_SECONDS = 120

export interface DriverSession {
  readonly run: Run
  readonly close: () => Promise<void>
}

export interface DriverSessionOptions {
  /** @default the package snowflake-sdk */
  readonly driver?: SnowflakeDriver | undefined
  /**
   * The `fetch` that decides which hosts the driver may connect to; the driver does not use it for requests.
   * @default every host is allowed
   */
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly seconds: number
}

/**
 * Signs in with the driver, for the methods that the SQL API does not support: password, browser, Okta and
 * workload identity.
 */
export async function driverSession(
  address: Address,
  { driver, fetch, seconds }: DriverSessionOptions,
): Promise<DriverSession> {
  const options = optionsOf(address, seconds)
  assertCredentials(address)
  if (fetch) await assertReachable(address, fetch)
  const sdk = driver ?? (await loadDriver())
  sdk.configure({ logLevel: 'OFF', additionalLogToConsole: false }) // otherwise it writes snowflake.log to the working folder
  const connection = sdk.createConnection(options)
  await connection.connectAsync().catch((error: unknown) => {
    throw toRefusal(error)
  })
  return {
    run: (statement, signal) =>
      execute(connection, { ...statement, seconds, tag: address.option('query_tag') }, signal),
    close: () => new Promise((resolve) => connection.destroy(() => resolve())),
  }
}

/** In a variable, because the types of the package are not installed. */
const PACKAGE: string = 'snowflake-sdk'

/**
 * Settings that the driver reads only from the environment. They turn off its reports about the connection,
 * its requests to metadata services of clouds, and a native library with its reports. Values that are already
 * set remain. https://github.com/snowflakedb/snowflake-connector-nodejs/tree/v3.3.0/lib/telemetry
 */
const QUIET = {
  SF_TELEMETRY_DISABLE_CONNECTION_SHAPE: 'true',
  SNOWFLAKE_DISABLE_PLATFORM_DETECTION: 'true',
  SNOWFLAKE_DISABLE_MINICORE: 'true',
}

async function loadDriver(): Promise<SnowflakeDriver> {
  for (const [name, value] of Object.entries(QUIET)) process.env[name] ??= value // it reads them while it loads
  const { default: driver } = await loadPackage({
    packageName: PACKAGE,
    neededBy: 'this method of signing in to Snowflake',
    instead:
      'sign in without it: with a key pair (private_key_path), a programmatic access token or OAuth (authenticator, token)',
    load: async () => (await import(PACKAGE)) as { readonly default: SnowflakeDriver },
  })
  return driver
}

/**
 * Ensures that the driver, which does not accept custom sockets, connects only to hosts that the caller's
 * `fetch` allows. It requests each host once with this `fetch`, and allows only names of Snowflake and Okta,
 * which nobody else can point to another address later.
 *
 * @throws the error of `fetch` for a host that it does not allow; INVALID_REQUEST for a name outside Okta's
 * domains.
 */
async function assertReachable(address: Address, fetch: typeof globalThis.fetch): Promise<void> {
  const okta = oktaOf(address)
  if (okta && !isOktaHost(okta.hostname))
    throw StagecraftError.invalid({
      path: 'authenticator',
      expected: 'a host of okta.com, because connections are limited to certain networks here',
      received: okta.hostname,
    })
  for (const origin of [httpOrigin(address, { isSecure: true }), ...(okta ? [okta] : [])]) {
    const signal = AbortSignal.timeout(CONNECT_SECONDS * 1000)
    // the first page redirects browsers to another host
    const response = await fetch(origin, { redirect: 'manual', signal }).catch((error: unknown) => {
      throw networkError(error)
    })
    await response.body?.cancel()
  }
}

/**
 * The methods of the driver:
 * https://docs.snowflake.com/en/developer-guide/node-js/nodejs-driver-authenticate
 */
const AUTHENTICATORS = [
  'snowflake',
  'username_password_mfa',
  'snowflake_jwt',
  'externalbrowser',
  'oauth',
  'oauth_authorization_code',
  'oauth_client_credentials',
  'programmatic_access_token',
  'workload_identity',
  'id_token',
]

/** Returns the method of signing in, as the driver spells it. */
function authenticatorOf(address: Address): string {
  const okta = oktaOf(address)
  if (okta) return okta.origin
  const mode = address.option('authenticator') ?? 'snowflake'
  if (AUTHENTICATORS.includes(mode.toLowerCase())) return mode.toUpperCase()
  throw StagecraftError.invalid({
    path: 'authenticator',
    expected: `one of ${AUTHENTICATORS.join(', ')}, or https://<name>.okta.com`,
    received: mode,
  })
}

/** @throws {StagecraftError} INVALID_REQUEST for an address without any way to sign in. */
function assertCredentials({ option, password }: Address): void {
  if (password() !== undefined || option('authenticator') !== undefined) return
  const expected = 'a way to sign in: private_key_path, authenticator and token, or a password'
  const suggestion = 'a key pair needs no package, and Snowflake prefers it for services'
  throw StagecraftError.invalid({ path: 'catalog', expected, received: 'none' }, { suggestion })
}

/** Options of an address that the driver also has, in camel case. */
const PASSED = [
  'passcode',
  'token',
  'role',
  'warehouse',
  'oauthClientId',
  'oauthClientSecret',
  'workloadIdentityProvider',
]

function optionsOf(address: Address, seconds: number): Readonly<Record<string, unknown>> {
  const { host, option, path, port, user } = address
  if (!isSnowflakeHost(host)) {
    const expected = 'a host of snowflakecomputing.com for this method of signing in'
    throw StagecraftError.invalid({ path: 'catalog', expected, received: host })
  }
  const { hostname } = httpOrigin(address, { isSecure: true }) // refuses a path in the host, which could have the same ending
  const entra = option('workload_identity_entra_resource')
  const passed = PASSED.map((name) => [
    name,
    option(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  ])
  return {
    account: option('account') ?? host.split('.')[0],
    accessUrl: `https://${hostname}:${port}`,
    username: user,
    password: address.password(),
    authenticator: authenticatorOf(address),
    ...Object.fromEntries(passed.filter(([, value]) => value !== undefined)),
    ...(entra !== undefined && { workloadIdentityAzureEntraIdResource: entra }),
    database: path[0],
    schema: path[1],
    application: 'stagecraft',
    timeout: seconds * 1000,
    retryTimeout: 0, // otherwise it repeats failed requests for minutes
    sfRetryMaxLoginRetries: 1,
    browserActionTimeout: SIGN_IN_SECONDS * 1000,
    loginTimeout: CONNECT_SECONDS,
    fetchAsString: ['Date', 'JSON', 'Buffer'],
  }
}

interface Execution {
  readonly text: string
  readonly values: readonly string[]
  readonly seconds: number
  readonly tag: string | undefined
}

function execute(
  connection: SnowflakeConnection,
  { seconds, tag = 'stagecraft', text, values }: Execution,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  signal.throwIfAborted()
  const { promise, reject, resolve } = Promise.withResolvers<readonly Row[]>()
  const statement: SnowflakeStatement = connection.execute({
    sqlText: text,
    binds: [...values],
    parameters: { QUERY_TAG: tag, STATEMENT_TIMEOUT_IN_SECONDS: seconds },
    complete: (error, _, rows) => (error ? reject(toRefusal(error)) : resolve(rows ?? [])),
  })
  const onAbort = (): void => statement.cancel(() => reject(signal.reason as Error))
  signal.addEventListener('abort', onAbort)
  return promise.finally(() => signal.removeEventListener('abort', onAbort))
}

/**
 * Keeps only the number and the message of an error of the driver, because it contains the request with its
 * secrets.
 */
function toRefusal(error: unknown): Error {
  if (error instanceof StagecraftError) return error
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  const message = error instanceof Error ? error.message : 'the driver gave no reason'
  const isNumber = typeof code === 'number' || (typeof code === 'string' && /^\d+$/.test(code))
  return isNumber ? new SnowflakeRefusal(String(code), message) : Object.assign(new Error(message), { code })
}
