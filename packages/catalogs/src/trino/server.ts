import type { Address } from '../network/address.ts'
import { CONNECT_SECONDS } from '../network/connection-failed.ts'
import { httpOrigin, isSecureAddress } from '../network/http-origin.ts'
import { type HttpAnswer, type HttpRequest, requestJson } from '../network/http-json.ts'
import type { Row } from '../warehouse/statement.ts'
import { assertWithin, MOST_ROWS, secondsUntil, type TrinoLimits } from './limits.ts'
import { type Page, pageOf, refusesSession } from './page.ts'
import { limitOf, OWN_LIMIT, sessionHeaders } from './headers.ts'

/** Queries a Trino coordinator over its client protocol. */
export class TrinoServer {
  readonly #origin: URL
  readonly #limits: TrinoLimits
  #headers: Readonly<Record<string, string>>
  readonly #fetch: typeof globalThis.fetch | undefined
  readonly #cancels = new Set<Promise<unknown>>()

  constructor(
    address: Address,
    fetch: typeof globalThis.fetch | undefined,
    limits: Partial<TrinoLimits> = {},
  ) {
    this.#origin = httpOrigin(address, { isSecure: isSecureAddress(address) })
    this.#headers = sessionHeaders(address)
    // later than the server's own limit, so that the server applies its limit first
    const seconds = Math.ceil(limitOf(address)) + CONNECT_SECONDS
    this.#limits = { seconds, mostRows: MOST_ROWS, ...limits }
    this.#fetch = fetch
  }

  /**
   * Runs one read-only statement. Cancels it in the server when the signal aborts, the time limit is over or
   * there are too many rows.
   *
   * @throws {Error} with a code such as `TABLE_NOT_FOUND`, or a code of the network.
   */
  async query(statement: string, signal: AbortSignal): Promise<readonly Row[]> {
    const session = this.#headers['X-Trino-Session'] ?? ''
    try {
      return await this.#run(statement, signal)
    } catch (error) {
      const isOwn = session.startsWith(OWN_LIMIT) && refusesSession(error)
      if (!isOwn) throw error
      this.#headers = { ...this.#headers, 'X-Trino-Session': session.slice(OWN_LIMIT.length + 1) }
      return this.#run(statement, signal)
    }
  }

  async #run(statement: string, signal: AbortSignal): Promise<readonly Row[]> {
    const { seconds } = this.#limits
    const deadline = Date.now() + seconds * 1000
    const rows: Row[] = []
    let page = await this.#send('/v1/statement', { method: 'POST', body: statement, signal, seconds })
    let names: readonly string[] = []
    for (;;) {
      names = page.columns?.map(({ name }) => name) ?? names
      for (const cells of page.data ?? [])
        rows.push(Object.fromEntries(names.map((name, at) => [name, cells[at]])))
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

  /**
   * Sends a request. URLs from the coordinator belong to its own network, so only their path is used, with
   * the host of the address.
   */
  #request(target: string, request: HttpRequest): Promise<HttpAnswer> {
    const { pathname, search } = new URL(target, this.#origin)
    const url = new URL(this.#origin)
    url.pathname = pathname
    url.search = search
    return requestJson(url, { ...request, headers: this.#headers, fetch: this.#fetch })
  }
}
