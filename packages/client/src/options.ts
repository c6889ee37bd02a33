import { type Fault, StagecraftError } from '@stagecraft/spec'

export interface ClientOptions {
  /**
   * Where the service is: `https://stagecraft.example.com`, with the path in front of `/generate` if there is one.
   * `http:` only to this machine, unless `allowHttp` is set.
   */
  readonly baseUrl: string
  /** Sent as `Authorization: Bearer …`, to `baseUrl` and nowhere else. */
  readonly apiKey: string
  /**
   * Allows `http:` to other machines, where whoever is in between can read the key.
   *
   * @default false
   */
  readonly allowHttp?: boolean
  /** Sends the requests. Default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /**
   * How often a call is tried again after a failure that may pass; 0 for never.
   *
   * @default 2
   */
  readonly maxRetries?: number
  /**
   * How long a call may take, retries and pauses included, in milliseconds.
   *
   * @default 120_000
   */
  readonly timeoutMs?: number
}

/** The same, checked and with every default filled in. */
export interface Settings {
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly host: string
  readonly apiKey: string
  readonly fetch: typeof globalThis.fetch
  readonly maxRetries: number
  readonly timeoutMs: number
}

/** The longest that timers can wait. */
const LONGEST_MS = 2 ** 31 - 1

/** @throws {StagecraftError} INVALID_REQUEST with everything that is wrong, and never the key. */
export function fillOptions({
  allowHttp = false,
  apiKey,
  baseUrl,
  // As a method of the global object: browsers refuse it otherwise.
  fetch = (input, init) => globalThis.fetch(input, init),
  maxRetries = 2,
  timeoutMs = 120_000,
}: ClientOptions): Settings {
  const url = URL.parse(baseUrl)
  const faults = [
    checkUrl(url, allowHttp),
    checkKey(apiKey),
    checkNumber('maxRetries', maxRetries, { from: 0, to: 10 }),
    checkNumber('timeoutMs', timeoutMs, { from: 1, to: LONGEST_MS }),
  ].filter((fault) => fault !== undefined)
  if (!url || faults.length > 0) throw invalid(faults)
  const path = url.pathname.replace(/\/+$/, '')
  return { baseUrl: `${url.origin}${path}`, host: url.host, apiKey, fetch, maxRetries, timeoutMs }
}

function invalid(faults: readonly Fault[]): StagecraftError {
  const texts = faults.map(({ expected, path, received }) => `${path}: expected ${expected}, got ${received}`)
  return new StagecraftError('INVALID_REQUEST', texts.join('; '), { details: { faults } })
}

function checkUrl(url: URL | null, allowHttp: boolean): Fault | undefined {
  const path = 'baseUrl'
  const expected = 'a URL such as https://stagecraft.example.com'
  if (!url || !/^https?:$/.test(url.protocol)) return { path, expected, received: 'something else' }
  if (url.username !== '' || url.password !== '')
    return { path, expected: `${expected}, without user and password`, received: 'one with them' }
  if (url.search !== '' || url.hash !== '')
    return { path, expected: `${expected}, without ? and #`, received: 'one with them' }
  if (url.protocol === 'https:' || allowHttp || isThisMachine(url.hostname)) return undefined
  return {
    path,
    expected: 'https:, because whoever is in between could read the key; http: is for this machine',
    received: `http://${url.host}`,
  }
}

function isThisMachine(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}

/** What no header can hold would make `fetch` fail with the key in its message. */
function checkKey(key: unknown): Fault | undefined {
  const path = 'apiKey'
  if (typeof key !== 'string' || key.trim() === '') return { path, expected: 'a key', received: 'none' }
  if (/^[\w.~+/-]+=*$/.test(key)) return undefined
  return { path, expected: 'letters, digits and ._~+/-', received: 'other characters' }
}

function checkNumber(
  path: string,
  value: number,
  { from, to }: { readonly from: number; readonly to: number },
): Fault | undefined {
  if (Number.isInteger(value) && value >= from && value <= to) return undefined
  return { path, expected: `a whole number from ${from} to ${to}`, received: String(value) }
}
