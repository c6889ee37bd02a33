import type { Address } from '../network/address.ts'
import { CONNECT_SECONDS, QUERY_SECONDS } from '../network/connection-failed.ts'
import { httpOrigin, isSecureAddress } from '../network/http-origin.ts'

export type Settings = Readonly<Record<string, string>>

/** Settings that an address may set: https://clickhouse.com/docs/operations/settings/query-complexity */
const LIMITS = [
  'max_execution_time',
  'max_bytes_to_read',
  'max_rows_to_read',
  'max_memory_usage',
  'max_threads',
  'workload',
] as const

const READ_ONLY: Settings = { readonly: '2' }

/**
 * Returns the settings in the order to try them. Later entries are for servers that do not know, or do not
 * allow, a setting of the previous one.
 */
export function tiersOf({ option }: Address): readonly Settings[] {
  const requested = LIMITS.flatMap((name) => {
    const value = option(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const limits = { max_execution_time: `${QUERY_SECONDS}`, ...Object.fromEntries(requested) }
  const all: Settings = {
    ...READ_ONLY,
    ...limits,
    log_comment: 'stagecraft',
    cancel_http_readonly_queries_on_client_close: '1',
    output_format_json_quote_64bit_integers: '1',
    output_format_json_quote_decimals: '1',
  }
  return [all, { ...READ_ONLY, ...limits }, READ_ONLY]
}

/** Codes of ClickHouse: https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp */
export const SETTING_REFUSED = new Set(['CLICKHOUSE_115', 'CLICKHOUSE_452'])
export const READ_ONLY_MODE = 'CLICKHOUSE_164'

/** For users who are read-only on the server and cannot change settings. */
export const NO_SETTINGS: Settings = {}

/** Returns true if the user is read-only on the server. */
export const OWN_MODE = "select value from system.settings where name = 'readonly'"

interface Request {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly seconds: number
}

/** Returns where a statement goes, with its parameters, and the header that signs in. */
export function requestTo(address: Address, parameters: Settings): Request {
  const { option, password, path, user } = address
  const url = httpOrigin(address, { isSecure: isSecureAddress(address) })
  url.search = new URLSearchParams({
    ...(path[0] !== undefined && { database: path[0] }),
    default_format: 'JSONCompact',
    wait_end_of_query: '1', // otherwise an error may appear in the middle of rows
    ...parameters,
  }).toString()
  const secret = password()
  const basic = Buffer.from(`${user ?? 'default'}:${secret ?? ''}`).toString('base64')
  const authorization = option('auth') === 'jwt' ? `Bearer ${secret ?? ''}` : `Basic ${basic}`
  const limit = Number(option('max_execution_time')) || QUERY_SECONDS
  // so that the server's own limit applies first
  return { url, headers: { authorization }, seconds: limit + CONNECT_SECONDS }
}
