import { StagecraftError } from '@stagecraft/spec'

export interface OwnHostOptions {
  /** The environment variable of the key. */
  readonly variable: string
  /** The default host of the key. */
  readonly home: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * Checks the host that a configuration file, possibly someone else's, sends this user's key to. A key is for its
 * provider, and for the hosts in the variable beside it: `OPENAI_API_KEY_HOST=llm.example.com`.
 *
 * @throws {StagecraftError} INVALID_REQUEST for another host.
 */
export function assertOwnHost(baseUrl: string, { environment, home, variable }: OwnHostOptions): void {
  const url = URL.parse(baseUrl)
  // The backend itself rejects an invalid address.
  if (!url) return
  const list = (environment[`${variable}_HOST`] ?? '').toLowerCase()
  const named = new Set(list.split(',').map((host) => host.trim()))
  const isHome = url.protocol === 'https:' && url.host === home
  if (isHome || named.has(url.host) || named.has(url.hostname)) return
  const expected = `a host that the key in ${variable} is for`
  const suggestion = `set ${variable}_HOST=${url.host} if it is, or pass the address with --base-url`
  const message = `backend.baseUrl: expected ${expected}, got ${url.host}; ${suggestion}`
  throw new StagecraftError('INVALID_REQUEST', message, {
    details: { faults: [{ path: 'backend.baseUrl', expected, received: url.host }], suggestion },
  })
}
