import { StagecraftError } from '@stagecraft/spec'
import type { IncomingHttpHeaders } from 'node:http'

/** Methods that change nothing. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * Refuses requests with the dashboard's cookie that a page of another origin made the browser send. Pages of
 * other origins cannot set `Sec-Fetch-Site` or `Origin`, and need permission to send headers of their own.
 *
 * @throws {StagecraftError} FORBIDDEN.
 */
export function checkOrigin(method: string, headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site']
  if (SAFE.has(method)) {
    if (site === 'cross-site' || site === 'same-site') throw otherOrigin()
    return
  }
  if (headers['x-stagecraft'] !== '1') throw otherOrigin()
  const isSame = site === undefined ? isOwn(headers.origin, headers.host) : site === 'same-origin'
  if (!isSame) throw otherOrigin()
}

function isOwn(origin: string | undefined, host: string | undefined): boolean {
  const url = origin === undefined ? null : URL.parse(origin)
  return url !== null && host !== undefined && url.host === host.toLowerCase()
}

function otherOrigin(): StagecraftError {
  const expected = 'a request of the dashboard itself, with the header "X-Stagecraft: 1"'
  return new StagecraftError('FORBIDDEN', `expected ${expected}, got a request from another origin`, {
    details: { reason: 'origin' },
  })
}
