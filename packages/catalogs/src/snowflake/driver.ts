import { StagecraftError } from '@stagecraft/spec'
import type { SnowflakeConnection, SnowflakeDriver, SnowflakeStatement } from './driver-types.ts'
import type { Address } from '../network/address.ts'
import { networkError } from '../network/http-json.ts'
import { httpOrigin } from '../network/http-origin.ts'
import { CONNECT_SECONDS } from '../network/connection-failed.ts'
import type { Row } from '../warehouse/statement.ts'
import { SnowflakeRefusal } from './failure.ts'
import { assertCredentials, optionsOf } from './driver-options.ts'
import { isOktaHost, oktaOf } from './hosts.ts'
import { loadDriver } from './load-driver.ts'
import type { Run } from './sql-api.ts'

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
