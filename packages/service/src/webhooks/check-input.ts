import { type Fault, StagecraftError } from '@stagecraft/spec'
import type { EventKind } from '@stagecraft/spec/api'
import {
  checkEndpointUrl,
  type DeliveryPolicy,
  ENDPOINT_PROBLEMS,
  headerFaults,
  isLocalName,
  type Lookup,
  resolveEndpoint,
  secretProblem,
} from '@stagecraft/webhooks'

/** The input for a webhook, as far as it can be wrong beyond its schema. */
export interface WebhookInput {
  readonly url?: string | undefined
  readonly events?: readonly EventKind[] | undefined
  readonly secret?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface CheckOptions {
  readonly policy: DeliveryPolicy
  readonly signal: AbortSignal
  /** Stands in for the DNS of the system. */
  readonly lookup: Lookup | undefined
}

/**
 * Checks what was given, and returns the URL in the spelling that is kept and called.
 *
 * @throws {StagecraftError} INVALID_REQUEST with all faults, none of which shows a secret.
 */
export async function checkInput(
  { events = [], headers = {}, secret, url }: WebhookInput,
  options: CheckOptions,
): Promise<Pick<CheckedUrl, 'href'>> {
  const checked = url === undefined ? NO_URL : await checkUrl(url, options)
  const [first, ...others] = [
    ...checked.faults,
    ...repeatedEvents(events),
    ...secretFaults(secret),
    ...reservedHeaders(headers),
    ...headerFaults(headers),
  ]
  if (first) throw StagecraftError.invalid([first, ...others])
  return checked
}

interface CheckedUrl {
  readonly href?: string
  readonly faults: readonly Fault[]
}

const NO_URL: CheckedUrl = { faults: [] }

async function checkUrl(url: string, { lookup, policy, signal }: CheckOptions): Promise<CheckedUrl> {
  const check = checkEndpointUrl(url, policy)
  if (!check.ok) return { faults: [{ path: 'url', ...inWords(check.message) }] }
  const { href } = check
  // A name that nobody knows may be known by the time of a delivery; one that leads inside is told of at once.
  const resolution = await resolveEndpoint(href, { policy, signal, ...(lookup && { lookup }) })
  const { hostname, protocol } = new URL(href)
  if (protocol === 'http:') {
    // http is for allowed networks alone, and a public name that nobody knows leads into none of them
    const isOpen = resolution === 'ok' || (resolution === 'unresolvable' && isLocalName(hostname))
    return isOpen
      ? { href, faults: [] }
      : { faults: [{ path: 'url', ...inWords(ENDPOINT_PROBLEMS.http_public) }] }
  }
  if (resolution !== 'unsafe') return { href, faults: [] }
  const received = 'a name of a private or special address'
  return { faults: [{ path: 'url', expected: 'a public host', received }] }
}

/** The URL itself is not repeated: it may hold a user name, a password or a token. */
function inWords(message: string): { readonly expected: string; readonly received: string } {
  const [expected = '', received = 'another one'] = message.replace(/^expected /, '').split(', got ')
  return { expected, received }
}

function repeatedEvents(events: readonly EventKind[]): readonly Fault[] {
  return events.flatMap((event, index) =>
    events.indexOf(event) === index
      ? []
      : [{ path: `events.${index}`, expected: 'each event once', received: `${event} again` }],
  )
}

function secretFaults(secret: string | undefined): readonly Fault[] {
  const problem = secret === undefined ? undefined : secretProblem(secret)
  return problem === undefined ? [] : [{ path: 'secret', ...inWords(problem) }]
}

/** Returns the faults of headers that the service sets itself, and of repeated ones. */
function reservedHeaders(headers: Readonly<Record<string, string>>): readonly Fault[] {
  const names = Object.keys(headers)
  const lower = names.map((name) => name.toLowerCase())
  return names.flatMap((name, index): readonly Fault[] => {
    const path = `headers.${name}`
    if (/^(?:content|x-service|webhook)-/i.test(name) && !/^content-length$/i.test(name))
      return [{ path, expected: 'a header that deliveries do not set themselves', received: 'this name' }]
    if (lower.indexOf(name.toLowerCase()) === index) return []
    return [{ path, expected: 'each header once', received: 'the same name in different case' }]
  })
}
