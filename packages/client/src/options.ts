import { type Fault, StagecraftError } from '@stagecraft/spec'
import { type Address, findAddressFault, toAddress } from './transport/address.ts'

export interface ClientOptions {
  /**
   * The address of the service: `https://stagecraft.example.com`, with the path in front of `/generate` if
   * there is one. `http:` is allowed only for this machine, unless `allowHttp` is set.
   */
  readonly baseUrl: string
  /** The address in front of `/v1/…`, if it differs. Default: `baseUrl`. */
  readonly apiUrl?: string | undefined
  /** Sent as `Authorization: Bearer …`, to `baseUrl` and `apiUrl` and nowhere else. Needed without `session`. */
  readonly apiKey?: string | undefined
  /**
   * True for a page of the service itself, after a sign-in: the browser's cookie replaces the key.
   *
   * @default false
   */
  readonly session?: boolean
  /** The project of calls. Default: the project of the key, requested once, which needs the scope `read`. */
  readonly projectId?: string | undefined
  /**
   * Allows `http:` to other machines. Anyone on the network path can then read the key.
   *
   * @default false
   */
  readonly allowHttp?: boolean
  /** Sends the requests. Default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /**
   * The number of retries after a transient failure; 0 disables them.
   *
   * @default 2
   */
  readonly maxRetries?: number
  /**
   * The time limit of a call in milliseconds, retries and pauses included.
   *
   * @default 120_000
   */
  readonly timeoutMs?: number
}

/** The options after checking, with all defaults. */
export interface Settings {
  /** The base of `/generate`. */
  readonly base: Address
  /** The base of `/v1`. */
  readonly api: Address
  /** Undefined if the browser's cookie replaces it. */
  readonly apiKey: string | undefined
  readonly projectId: string | undefined
  readonly fetch: typeof globalThis.fetch
  readonly maxRetries: number
  readonly timeoutMs: number
}

/** The longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1

/** @throws {StagecraftError} INVALID_REQUEST with all faults, but never the key. */
export function fillOptions({
  allowHttp = false,
  apiKey,
  baseUrl,
  apiUrl = baseUrl,
  // Called as a method of the global object, because browsers require it.
  fetch = (input, init) => globalThis.fetch(input, init),
  maxRetries = 2,
  projectId,
  session = false,
  timeoutMs = 120_000,
}: ClientOptions): Settings {
  const base = URL.parse(baseUrl)
  const api = URL.parse(apiUrl)
  const faults = [
    findAddressFault(base, { path: 'baseUrl', allowHttp }),
    apiUrl === baseUrl ? undefined : findAddressFault(api, { path: 'apiUrl', allowHttp }),
    session ? checkNoKey(apiKey) : checkKey(apiKey),
    checkNumber('maxRetries', maxRetries, { from: 0, to: 10 }),
    checkNumber('timeoutMs', timeoutMs, { from: 1, to: LONGEST_MS }),
  ].filter((fault) => fault !== undefined)
  if (!base || !api || faults.length > 0) throw StagecraftError.invalid(faults)
  return { base: toAddress(base), api: toAddress(api), apiKey, projectId, fetch, maxRetries, timeoutMs }
}

/** Refuses a key that no header can hold, because `fetch` would put it into its error message. */
function checkKey(key: unknown): Fault | undefined {
  const path = 'apiKey'
  if (typeof key !== 'string' || key.trim() === '') return { path, expected: 'a key', received: 'none' }
  if (/^[\w.~+/-]+=*$/.test(key)) return undefined
  return { path, expected: 'letters, digits and ._~+/-', received: 'other characters' }
}

/** Refuses a key together with a session, because a page should not hold one. */
function checkNoKey(key: unknown): Fault | undefined {
  if (key === undefined) return undefined
  return { path: 'apiKey', expected: 'no key together with session', received: 'a key' }
}

function checkNumber(
  path: string,
  value: number,
  { from, to }: { readonly from: number; readonly to: number },
): Fault | undefined {
  if (Number.isInteger(value) && value >= from && value <= to) return undefined
  return { path, expected: `a whole number from ${from} to ${to}`, received: String(value) }
}
