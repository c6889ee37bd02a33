import type { Address } from '../network/address.ts'
import { httpOrigin, isSecureAddress } from '../network/http-origin.ts'
import { type HttpAnswer, type HttpRequest, requestJson } from '../network/http-json.ts'
import type { Row } from '../warehouse/statement.ts'
import { assertWithin, limitsOf, secondsUntil, type TrinoLimits, type TrinoOptions } from './limits.ts'
import { atOrigin, type Page, pageOf, refusesSession, rowsOf } from './page.ts'
import { sessionHeaders, withoutOwnLimit } from './headers.ts'

/** Queries a Trino coordinator over its client protocol. */
export class TrinoServer {
  readonly #origin: URL
  readonly #limits: TrinoLimits
  #headers: Readonly<Record<string, string>>
  readonly #fetch: TrinoOptions['fetch']
  readonly #cancels = new Set<Promise<unknown>>()

  constructor(address: Address, { fetch, limits }: TrinoOptions) {
    this.#origin = httpOrigin(address, { isSecure: isSecureAddress(address) })
    this.#headers = sessionHeaders(address)
    this.#limits = limitsOf(address, limits)
    this.#fetch = fetch
  }

  /**
   * Runs one read-only statement. Cancels it in the server when the signal aborts, the time limit is over or
   * there are too many rows.
   *
   * @throws {Error} with a code such as `TABLE_NOT_FOUND`, or a code of the network.
   */
  query(statement: string, signal: AbortSignal): Promise<readonly Row[]> {
    return this.#run(statement, signal).catch((error: unknown) => {
      const headers = refusesSession(error) ? withoutOwnLimit(this.#headers) : undefined
      if (!headers) throw error
      this.#headers = headers
      return this.#run(statement, signal)
    })
  }

  async #run(statement: string, signal: AbortSignal): Promise<readonly Row[]> {
    const { seconds } = this.#limits
    const deadline = Date.now() + seconds * 1000
    const rows: Row[] = []
    let page = await this.#send('/v1/statement', { method: 'POST', body: statement, signal, seconds })
    let names: readonly string[] = []
    for (;;) {
      names = page.columns?.map(({ name }) => name) ?? names
      rows.push(...rowsOf(page, names))
      const { nextUri } = page
      if (nextUri === undefined) return rows
      try {
        assertWithin(rows.length, deadline, this.#limits)
        page = await this.#send(nextUri, { signal, seconds: secondsUntil(deadline) })
      } catch (error) {
        this.#cancel(nextUri)
        throw error
      }
    }
  }

  /** Waits for statements that are being cancelled. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#cancels)
  }

  #cancel(nextUri: string): void {
    const sent = this.#request(nextUri, { method: 'DELETE', seconds: 5 }).catch(() => undefined)
    this.#cancels.add(sent)
    void sent.finally(() => this.#cancels.delete(sent))
  }

  async #send(target: string, request: HttpRequest): Promise<Page> {
    return pageOf(await this.#request(target, request))
  }

  #request(target: string, request: HttpRequest): Promise<HttpAnswer> {
    return requestJson(atOrigin(target, this.#origin), {
      ...request,
      headers: this.#headers,
      fetch: this.#fetch,
    })
  }
}
