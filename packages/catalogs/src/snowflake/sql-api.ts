import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '../network/address.ts'
import { type HttpAnswer, requestJson } from '../network/http-json.ts'
import { httpOrigin } from '../network/http-origin.ts'
import type { Row, Statement } from '../warehouse/statement.ts'
import { type Authorize, isSecure } from './credentials.ts'
import { SnowflakeRefusal } from './failure.ts'
import { requestOf } from './request.ts'
import { resultOf, type ResultSet, toRows } from './result-set.ts'

/** Runs a statement; the signal also cancels it in Snowflake. */
export type Run = (statement: Statement, signal: AbortSignal) => Promise<readonly Row[]>

export interface SqlApiOptions {
  readonly authorize: Authorize
  /** The time limit of one statement. */
  readonly seconds: number
  readonly fetch?: typeof globalThis.fetch | undefined
}

const MOST_BYTES = 512 * 1024 * 1024

/**
 * Creates the function that runs statements with the SQL API, without a driver:
 * https://docs.snowflake.com/en/developer-guide/sql-api/reference
 */
export function sqlApi(address: Address, { authorize, fetch, seconds }: SqlApiOptions): Run {
  const origin = httpOrigin(address, { isSecure: isSecure(address) })
  const send = async (path: string, signal: AbortSignal, body?: object): Promise<HttpAnswer> => {
    const headers = { ...(await authorize(signal)), accept: 'application/json', 'user-agent': 'stagecraft' }
    const url = new URL(`api/v2/statements${path}`, origin)
    return requestJson(url, { headers, signal, fetch, seconds, ...(body && { method: 'POST', body }) })
  }
  return async (statement, signal) => {
    // because of the request id, Snowflake does not run a repeated attempt twice
    const body = requestOf(statement, address, seconds)
    let answer = await send(`?async=true&requestId=${randomUUID()}`, signal, body)
    const handle = resultOf(answer).statementHandle ?? ''
    try {
      for (let wait = 50; answer.status === 202; wait = Math.min(wait * 1.5, 1000)) {
        await sleep(wait, undefined, { signal })
        answer = await send(`/${encodeURIComponent(handle)}`, signal)
      }
      return await readRows(resultOf(answer), (partition) =>
        send(`/${encodeURIComponent(handle)}?partition=${partition}`, signal),
      )
    } catch (error) {
      if (!signal.aborted) throw error
      const limit = AbortSignal.timeout(5000)
      await send(`/${encodeURIComponent(handle)}/cancel`, limit, {}).catch(() => undefined) // the statement ends at its time limit
      throw signal.reason as Error
    }
  }
}

async function readRows(
  { data = [], resultSetMetaData }: ResultSet,
  next: (partition: number) => Promise<HttpAnswer>,
): Promise<readonly Row[]> {
  const { partitionInfo = [], rowType = [] } = resultSetMetaData ?? {}
  const bytes = partitionInfo.reduce((sum, { uncompressedSize = 0 }) => sum + uncompressedSize, 0)
  if (bytes > MOST_BYTES)
    throw new SnowflakeRefusal('', `the result has ${bytes} bytes; read one schema at a time`)
  const rows = [...data]
  for (let partition = 1; partition < partitionInfo.length; partition++)
    rows.push(...(resultOf(await next(partition)).data ?? []))
  return toRows(rows, rowType)
}
