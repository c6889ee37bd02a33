import { type Fault, StagecraftError } from '@stagecraft/spec'

/** What says how and where the request travels is not for the caller to say. */
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

/**
 * The headers of a delivery.
 *
 * @throws {StagecraftError} INVALID_REQUEST with all headers that cannot be sent.
 */
export function requestHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const faults = Object.entries(given).flatMap(([name, value]): readonly Fault[] => {
    const path = `headers.${name}`
    if (!NAME.test(name) || OWN_HEADERS.has(name.toLowerCase())) {
      return [{ path, expected: 'a header that deliveries do not set themselves', received: 'this name' }]
    }
    return VALUE.test(value) ? [] : [{ path, expected: 'visible ASCII letters', received: 'others' }]
  })
  if (faults.length > 0) {
    const parts = faults.map(
      ({ path, expected, received }) => `${path}: expected ${expected}, got ${received}`,
    )
    throw new StagecraftError('INVALID_REQUEST', parts.join('; '), { details: { faults } })
  }
  const lowerCase = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    'content-type': 'application/json',
    'user-agent': 'stagecraft-webhooks',
    ...Object.fromEntries(lowerCase),
    // Nothing is unpacked, so that a small answer cannot become a large one.
    'accept-encoding': 'identity',
  }
}
