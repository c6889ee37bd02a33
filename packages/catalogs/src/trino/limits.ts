import type { Address } from '../network/address.ts'
import { CONNECT_SECONDS } from '../network/connection-failed.ts'
import type { HttpRequest } from '../network/http-json.ts'
import { limitOf } from './headers.ts'
import { coded } from './page.ts'

/** The maximum number of rows of an answer: a schema of 50,000 tables with 100 columns each. */
const MOST_ROWS = 5_000_000

export interface TrinoLimits {
  /** The time limit of a statement in seconds. @default a little more than its limit in the server */
  readonly seconds: number
  /** The maximum number of rows of an answer. @default 5,000,000 */
  readonly mostRows: number
}

export interface TrinoOptions extends Pick<HttpRequest, 'fetch'> {
  /** @default those of `TrinoLimits` */
  readonly limits?: Partial<TrinoLimits>
}

/** Returns the limits here: later than the server's own limit, so that the server applies its limit first. */
export function limitsOf(address: Address, given: TrinoOptions['limits']): TrinoLimits {
  return { seconds: Math.ceil(limitOf(address)) + CONNECT_SECONDS, mostRows: MOST_ROWS, ...given }
}

/** @throws {Error} with the code of the limit that a statement exceeds. */
export function assertWithin(rows: number, deadline: number, { mostRows, seconds }: TrinoLimits): void {
  if (rows > mostRows)
    throw coded('ERR_TOO_LARGE', `the answer has more than ${mostRows} rows; read one schema at a time`)
  if (Date.now() >= deadline) throw coded('ERR_NO_ANSWER', `it did not finish within ${seconds} s`)
}

export function secondsUntil(deadline: number): number {
  return Math.max(1, Math.ceil((deadline - Date.now()) / 1000))
}
