import type { Fault } from '@stagecraft/spec'

/** The headers that control how and where a request is sent; callers may not set them. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\u0020-\u007E]*$/

/** Returns a fault for each header that a delivery cannot have. No fault shows a value. */
export function headerFaults(headers: Readonly<Record<string, string>>): readonly Fault[] {
  return Object.entries(headers).flatMap(([name, value]): readonly Fault[] => {
    const path = `headers.${name}`
    if (!NAME.test(name) || OWN_HEADERS.has(name.toLowerCase())) {
      return [{ path, expected: 'a header that deliveries do not set themselves', received: 'this name' }]
    }
    return VALUE.test(value)
      ? []
      : [{ path, expected: 'visible ASCII characters', received: 'other characters' }]
  })
}
