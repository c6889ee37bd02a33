import type { Address } from '../network/address.ts'
import { type HttpAnswer, requestJson } from '../network/http-json.ts'
import type { Row } from '../warehouse/statement.ts'
import { rowsOf } from './answer.ts'
import {
  NO_SETTINGS,
  OWN_MODE,
  READ_ONLY_MODE,
  requestTo,
  SETTING_REFUSED,
  type Settings,
  tiersOf,
} from './settings.ts'

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
    const { url, ...request } = requestTo(this.#address, parameters)
    return requestJson(url, { ...request, method: 'POST', body, signal, fetch: this.#fetch })
  }
}
