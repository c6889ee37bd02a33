import type { Fault } from '@stagecraft/spec'

/** The target of requests. */
export interface Address {
  /** Without a trailing slash. */
  readonly url: string
  readonly host: string
}

export function toAddress({ host, origin, pathname }: URL): Address {
  return { url: `${origin}${pathname.replace(/\/+$/, '')}`, host }
}

export interface AddressRules {
  /** The name of the option. */
  readonly path: string
  readonly allowHttp: boolean
}

/** Returns the fault in the address of a service, or undefined; `received` never holds a secret. */
export function findAddressFault(url: URL | null, { allowHttp, path }: AddressRules): Fault | undefined {
  const expected = 'a URL such as https://stagecraft.example.com'
  if (!url || !/^https?:$/.test(url.protocol)) return { path, expected, received: 'something else' }
  if (url.username !== '' || url.password !== '')
    return { path, expected: `${expected}, without a user name and password`, received: 'a URL with them' }
  if (url.search !== '' || url.hash !== '')
    return { path, expected: `${expected}, without ? and #`, received: 'a URL with them' }
  if (url.protocol === 'https:' || allowHttp || isThisMachine(url.hostname)) return undefined
  return {
    path,
    expected: 'https:, because others could read the key; http: is allowed only for this machine',
    received: `http://${url.host}`,
  }
}

function isThisMachine(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
