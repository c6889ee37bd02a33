import type { Address } from '../network/address.ts'
import { CONNECT_SECONDS, QUERY_SECONDS } from '../network/connection-failed.ts'
import { type HttpAnswer, requestJson } from '../network/http-json.ts'
import { httpOrigin, isSecureAddress } from '../network/http-origin.ts'
import type { Row } from '../warehouse/statement.ts'

type Settings = Readonly<Record<string, string>>

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
function tiersOf({ option }: Address): readonly Settings[] {
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
const SETTING_REFUSED = new Set(['CLICKHOUSE_115', 'CLICKHOUSE_452'])
const READ_ONLY_MODE = 'CLICKHOUSE_164'

/** For users who are read-only on the server and cannot change settings. */
const NO_SETTINGS: Settings = {}

/** Returns true if the user is read-only on the server. */
const OWN_MODE = "select value from system.settings where name = 'readonly'"

/** Queries a ClickHouse server over HTTP: https://clickhouse.com/docs/interfaces/http */
export class ClickhouseServer {
  readonly #address: Address
  readonly #fetch: typeof globalThis.fetch | undefined
  readonly #kills = new Set<Promise<unknown>>()
  #tiers: readonly Settings[]

  constructor(address: Address, fetch: typeof globalThis.fetch | undefined) {
    this.#address = address
    this.#fetch = fetch
    this.#tiers = tiersOf(address)
  }

  /**
   * Runs one read-only statement, and cancels it in the server when the signal aborts.
   *
   * @throws {Error} with a code such as `CLICKHOUSE_60`, or a code of the network.
   */
  async query(statement: string, signal: AbortSignal): Promise<readonly Row[]> {
    const tiers = this.#tiers
    try {
      return await this.#ask(statement, tiers[0] ?? NO_SETTINGS, signal)
    } catch (error) {
      const others = await this.#tiersAfter(error, tiers, signal)
      if (!others) throw error
      this.#tiers = others
      return this.query(statement, signal)
    }
  }

  /** Returns the settings to retry with if the server refuses some; undefined if it refuses something else. */
  async #tiersAfter(
    error: unknown,
    [settings, ...rest]: readonly Settings[],
    signal: AbortSignal,
  ): Promise<readonly Settings[] | undefined> {
    const { code, message } = error as { readonly code?: unknown; readonly message?: string }
    if (SETTING_REFUSED.has(String(code))) return rest.length > 0 ? rest : undefined
    const isOfSetting = code === READ_ONLY_MODE && /\bsetting\b/i.test(message ?? '')
    if (!isOfSetting || settings === NO_SETTINGS) return undefined
    // only read-only users may run without the read-only setting
    const [own] = await this.#ask(OWN_MODE, NO_SETTINGS, signal)
    return Number(own?.['value']) > 0 ? [NO_SETTINGS] : undefined
  }

  /** Waits for statements that are being cancelled. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#kills)
  }

  async #ask(statement: string, settings: Settings, signal: AbortSignal): Promise<readonly Row[]> {
    const id = crypto.randomUUID()
    const answer = await this.#send(statement, { query_id: id, ...settings }, signal).catch(
      (error: unknown) => {
        this.#kill(id)
        throw error
      },
    )
    return rowsOf(answer)
  }

  #kill(id: string): void {
    const text = `kill query where query_id = '${id}' async`
    const sent = this.#send(text, {}, AbortSignal.timeout(5000)).catch(() => undefined)
    this.#kills.add(sent)
    void sent.finally(() => this.#kills.delete(sent))
  }

  #send(body: string, parameters: Settings, signal: AbortSignal): Promise<HttpAnswer> {
    const { option, password, path, user } = this.#address
    const url = httpOrigin(this.#address, { isSecure: isSecureAddress(this.#address) })
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
    const seconds = limit + CONNECT_SECONDS // so that the server's own limit applies first
    return requestJson(url, {
      method: 'POST',
      headers: { authorization },
      body,
      signal,
      seconds,
      fetch: this.#fetch,
    })
  }
}

interface Compact {
  readonly meta: readonly { readonly name: string }[]
  readonly data: readonly (readonly unknown[])[]
}

function rowsOf({ body, headers, status }: HttpAnswer): readonly Row[] {
  if (status === 200 && isCompact(body)) {
    const names = body.meta.map(({ name }) => name)
    return body.data.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at]])))
  }
  throw serverError(typeof body === 'string' ? body : '', {
    status,
    code: headers.get('x-clickhouse-exception-code'),
  })
}

function isCompact(body: unknown): body is Compact {
  return typeof body === 'object' && body !== null && 'meta' in body && 'data' in body
}

/**
 * Reads an error such as `Code: 60. DB::Exception: Unknown table … (UNKNOWN_TABLE) (version 26.7.2.1)`,
 * without its frame.
 */
function serverError(text: string, answer: { readonly status: number; readonly code: string | null }): Error {
  const [, number, detail] =
    /Code: (\d+)[.,] (?:e\.displayText\(\) = )?(?:DB::Exception: )?([^]*?)(?:, e\.what\(\) = .*)?(?: \(version .*)?\s*$/.exec(
      text,
    ) ?? []
  const [line = ''] = (detail ?? text).trim().split('\n')
  const hasReason = line !== '' && !line.startsWith('<') && answer.status !== 200
  const message = hasReason ? line.slice(0, 500) : `it answered with status ${answer.status}`
  const own = number ?? answer.code
  // a gateway, or the login page of ClickHouse Cloud, has no code of the server
  return Object.assign(new Error(message), {
    code: own === null ? `HTTP_${answer.status}` : `CLICKHOUSE_${own}`,
  })
}
