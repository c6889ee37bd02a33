import type { SessionCookie } from '@stagecraft/spec/api'

/** Browsers accept a cookie of this name only with `Secure`, for `/` and for one host. */
const SECURE = '__Host-stagecraft'

/** The name over plain HTTP to this machine, where not every browser accepts `Secure`. */
const PLAIN = 'stagecraft'

/** Longer tokens are rejected unread. */
const LONGEST = 200

/**
 * Returns the token of a session; undefined without a cookie, or with several. The plain name counts only on
 * this machine: elsewhere, another host of the domain could have set it.
 */
export function readSessionCookie(header: string | undefined, host: string | undefined): string | undefined {
  const names = isThisMachine(host) ? [SECURE, PLAIN] : [SECURE]
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='))
  for (const wanted of names) {
    const [value, ...others] = pairs.flatMap(([name, text]) => (name === wanted && text ? [text] : []))
    if (value !== undefined && others.length === 0 && value.length <= LONGEST) return value
  }
  return undefined
}

/** Prints `Set-Cookie`; null deletes the cookie. */
export function printSessionCookie(cookie: SessionCookie | null, host: string | undefined): string {
  const { maxAgeSeconds, token } = cookie ?? { token: '', maxAgeSeconds: 0 }
  const isPlain = isThisMachine(host)
  const name = isPlain ? PLAIN : SECURE
  const secure = isPlain ? '' : '; Secure'
  return `${name}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
}

/** Returns true for names of this machine, which a browser reaches without a network. */
function isThisMachine(host: string | undefined): boolean {
  const name = (host ?? '').replace(/:\d+$/, '').toLowerCase()
  return name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name)
}
