import { loadPackage, StagecraftError } from '@stagecraft/spec'
import type { SnowflakeConnection, SnowflakeDriver, SnowflakeStatement } from './driver-types.ts'
import type { Address } from '../network/address.ts'
import { httpOrigin } from '../network/http-origin.ts'
import { CONNECT_SECONDS } from '../network/connection-failed.ts'
import type { Row } from '../warehouse/statement.ts'
import { isSnowflakeHost } from './credentials.ts'
import { SnowflakeRefusal } from './failure.ts'
import type { Run } from './sql-api.ts'

/** Time to sign in with a browser. */
const SIGN_IN_SECONDS = 120

export interface DriverSession {
  readonly run: Run
  readonly close: () => Promise<void>
}

/** The driver, for the ways to sign in that the SQL API does not have: passwords, a browser, Okta, a workload's identity. */
export async function driverSession(
  address: Address,
  { driver, seconds }: { readonly driver?: SnowflakeDriver | undefined; readonly seconds: number },
): Promise<DriverSession> {
  const sdk = driver ?? (await loadDriver())
  sdk.configure({ logLevel: 'OFF', additionalLogToConsole: false }) // or it writes snowflake.log where it runs
  const connection = sdk.createConnection(optionsOf(address, seconds))
  await connection.connectAsync().catch((error: unknown) => {
    throw toRefusal(error)
  })
  return {
    run: (statement, signal) =>
      execute(connection, { ...statement, seconds, tag: address.option('query_tag') }, signal),
    close: () => new Promise((resolve) => connection.destroy(() => resolve())),
  }
}

/** A name in a variable, because its types are not installed. */
const PACKAGE: string = 'snowflake-sdk'

/**
 * Switches that the driver has nowhere else: what it reports home of how it is connected, the metadata services that it asks
 * where it runs, and a library of machine code that it reports on. Who sets them otherwise keeps that.
 * https://github.com/snowflakedb/snowflake-connector-nodejs/tree/v3.3.0/lib/telemetry
 */
const QUIET = {
  SF_TELEMETRY_DISABLE_CONNECTION_SHAPE: 'true',
  SNOWFLAKE_DISABLE_PLATFORM_DETECTION: 'true',
  SNOWFLAKE_DISABLE_MINICORE: 'true',
}

async function loadDriver(): Promise<SnowflakeDriver> {
  for (const [name, value] of Object.entries(QUIET)) process.env[name] ??= value // it reads them as it loads
  const { default: driver } = await loadPackage({
    packageName: PACKAGE,
    neededBy: 'this way to sign in to Snowflake',
    instead:
      'sign in without it: by a key pair (private_key_path), a programmatic access token or OAuth (authenticator, token)',
    load: async () => (await import(PACKAGE)) as { readonly default: SnowflakeDriver },
  })
  return driver
}

/** Options of an address that the driver has under the same name, but for the case. */
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
    const expected = 'a host of snowflakecomputing.com for this way to sign in'
    throw StagecraftError.invalid({ path: 'catalog', expected, received: host })
  }
  const { hostname } = httpOrigin(address, { isSecure: true }) // a host with a path in it ends like one, too
  const entra = option('workload_identity_entra_resource')
  const mode = option('authenticator') ?? 'snowflake'
  const passed = PASSED.map((name) => [
    name,
    option(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  ])
  return {
    account: option('account') ?? host.split('.')[0],
    accessUrl: `https://${hostname}:${port}`,
    username: user,
    password: address.password(),
    authenticator: mode.startsWith('https://') ? mode : mode.toUpperCase(),
    ...Object.fromEntries(passed.filter(([, value]) => value !== undefined)),
    ...(entra !== undefined && { workloadIdentityAzureEntraIdResource: entra }),
    database: path[0],
    schema: path[1],
    application: 'stagecraft',
    timeout: seconds * 1000,
    retryTimeout: 0, // else a server that fails is asked again for minutes
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

/** Errors of the driver carry the request, and with it secrets: nothing but number and message is kept. */
function toRefusal(error: unknown): Error {
  if (error instanceof StagecraftError) return error
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  const message = error instanceof Error ? error.message : 'the driver gave no reason'
  const isNumber = typeof code === 'number' || (typeof code === 'string' && /^\d+$/.test(code))
  return isNumber ? new SnowflakeRefusal(String(code), message) : Object.assign(new Error(message), { code })
}
