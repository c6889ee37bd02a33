import { isIP } from 'node:net'
import { LOCAL_SUFFIXES, METADATA_NAMES, UNRESOLVABLE_SUFFIXES } from './host-names.ts'
import { type DeliveryPolicy, type Rules, rulesOf } from './policy.ts'
import { DEFAULT_PORTS, hasPort, SERVICE_PORTS } from './ports.ts'

/** The reasons why an address is refused, with their wording. */
export const ENDPOINT_PROBLEMS = {
  not_a_url: { expected: 'a URL such as https://example.com/webhooks', received: 'text that is not a URL' },
  too_long: { expected: 'a URL of at most 2048 characters', received: 'a longer one' },
  scheme: { expected: 'a URL that begins with https://', received: 'another scheme' },
  http_public: {
    expected: 'https://, because http: is allowed only for private networks on the allow-list',
    received: 'a public host',
  },
  userinfo: { expected: 'a URL without a user name and password', received: 'one with them' },
  fragment: { expected: 'a URL without a fragment (#)', received: 'one with a fragment' },
  port: { expected: 'a port that is allowed for receivers, such as 443', received: 'another port' },
  local_name: { expected: 'a public host name', received: 'a name of a local network' },
  address_literal: { expected: 'a host name', received: 'an IP address' },
  private_address: {
    expected: 'a public host',
    received: 'an address of a private or special network',
  },
} as const satisfies Readonly<Record<string, { readonly expected: string; readonly received: string }>>

export type EndpointProblem = keyof typeof ENDPOINT_PROBLEMS

export type EndpointCheck =
  | {
      readonly ok: true
      /** The normalized URL to store and call; the input may be spelled differently. */
      readonly href: string
    }
  | {
      readonly ok: false
      readonly reason: EndpointProblem
      /** The URL itself is not repeated, because it may contain a user name, a password or a token. */
      readonly expected: string
      readonly received: string
    }

const LONGEST_URL = 2048

/**
 * Checks a receiver's URL without the DNS. The addresses of its name are checked when a delivery connects.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a policy with invalid ranges.
 */
export function checkEndpointUrl(text: string, policy: DeliveryPolicy = {}): EndpointCheck {
  return checkWithRules(text, rulesOf(policy))
}

export function checkWithRules(text: string, rules: Rules): EndpointCheck {
  if (text.length > LONGEST_URL) return refuse('too_long')
  // The only parser: its result is checked, stored and called.
  const url = URL.parse(text)
  if (url === null) return refuse('not_a_url')
  const reason = findProblem(url, rules)
  return reason === undefined ? { ok: true, href: url.href } : refuse(reason)
}

function refuse(reason: EndpointProblem): EndpointCheck {
  return { ok: false, reason, ...ENDPOINT_PROBLEMS[reason] }
}

function findProblem(url: URL, rules: Rules): EndpointProblem | undefined {
  const isHttp = url.protocol === 'http:' && rules.policy.allowHttp === true && rules.hasAllowList
  if (url.protocol !== 'https:' && !isHttp) return 'scheme'
  if (url.href.length > LONGEST_URL) return 'too_long'
  if (url.username !== '' || url.password !== '') return 'userinfo'
  if (url.href.includes('#')) return 'fragment'
  return findHostProblem(hostOf(url), rules, isHttp) ?? (isOpenPort(url, rules) ? undefined : 'port')
}

/** Returns the host without the brackets of IPv6 and without trailing dots. */
export function hostOf(url: Pick<URL, 'hostname'>): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '')
}

function findHostProblem(host: string, rules: Rules, isHttp: boolean): EndpointProblem | undefined {
  if (isIP(host) === 0) return isOpenName(host, rules) ? undefined : 'local_name'
  if (rules.isAllowListed(host)) return undefined
  if (!rules.isOpen(host)) return 'private_address'
  if (isHttp) return 'http_public'
  return rules.policy.allowLiterals === true ? undefined : 'address_literal'
}

function isOpenName(name: string, rules: Rules): boolean {
  const isForbidden =
    name === '' || METADATA_NAMES.includes(name) || endsWithLabel(name, UNRESOLVABLE_SUFFIXES)
  return !isForbidden && (rules.hasAllowList || !isLocalName(name))
}

/** Returns true for a name that only means something inside a network; an allow-list must allow its address. */
export function isLocalName(name: string): boolean {
  return !name.includes('.') || endsWithLabel(name, LOCAL_SUFFIXES)
}

function endsWithLabel(name: string, suffixes: readonly string[]): boolean {
  return suffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))
}

function isOpenPort(url: URL, { policy }: Rules): boolean {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (policy.ports !== undefined) return hasPort(policy.ports, port)
  if (url.protocol === 'http:' && port === 80) return true
  return hasPort(DEFAULT_PORTS, port) && !hasPort(SERVICE_PORTS, port)
}
