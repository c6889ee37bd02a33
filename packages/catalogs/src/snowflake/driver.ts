import { StagecraftError } from '@stagecraft/spec'
import type { SnowflakeConnection, SnowflakeDriver, SnowflakeStatement } from './driver-types.ts'
import type { Address } from '../network/address.ts'
import type { Row } from '../warehouse/statement.ts'
import { SnowflakeRefusal } from './failure.ts'
import { assertCredentials, optionsOf } from './driver-options.ts'
import { loadDriver } from './load-driver.ts'
import { assertReachable } from './reachable.ts'
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
