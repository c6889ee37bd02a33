import { type Fault, StagecraftError } from '@stagecraft/spec'
import { change, type ChangeContext } from '../change.ts'
import type { WebhookRow } from '../store/schema.ts'
import type { EventKind } from '@stagecraft/spec/api'
import {
  checkEndpointUrl,
  type DeliveryPolicy,
  ENDPOINT_PROBLEMS,
  headerFaults,
  isLocalName,
  type Lookup,
  resolveEndpoint,
  secretFault,
} from '@stagecraft/webhooks'

export interface WebhookKey {
  readonly webhookId: string
  readonly projectId: string
}

interface WebhookChange {
  /** The required version; undefined for any. */
  readonly ifVersion?: number | undefined
  /** Returns the columns to write, or undefined if nothing changes. */
  readonly columns: (row: WebhookRow, now: number) => Partial<WebhookRow> | undefined
}

/** Changes a webhook, increases its version, and returns it. */
export async function changeWebhook(
  context: ChangeContext,
  { projectId, webhookId }: WebhookKey,
  { columns, ifVersion }: WebhookChange,
): Promise<WebhookRow> {
  return await change(context, projectId, async (tx) => {
    const row = await tx.own('webhooks', webhookId, { lock: 'update', ifVersion })
    tx.wakeAfter('deliveries')
    const changed = columns(row, await tx.now())
    return changed === undefined ? row : await tx.revise('webhooks', row, changed)
  })
}

/** Refuses new deliveries for a disabled webhook, because they would wait forever. */
export function refuseDisabled({ id, state }: Pick<WebhookRow, 'id' | 'state'>): void {
  if (state !== 'disabled') return
  const suggestion = `POST /v1/webhooks/${id}/enable`
  throw StagecraftError.invalid(
    [{ path: 'params.webhookId', expected: 'a webhook that is not disabled', received: 'a disabled one' }],
    { suggestion },
  )
}

/** The input for a webhook that needs checks beyond its schema. */
interface WebhookInput {
  readonly url?: string | undefined
  readonly events?: readonly EventKind[] | undefined
  readonly secret?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

interface CheckOptions {
  readonly policy: DeliveryPolicy
  readonly signal: AbortSignal
  /** Replaces the DNS of the system. */
  readonly lookup: Lookup | undefined
}

/**
 * Checks the input, and returns the normalized URL to store and call.
 *
 * @throws {StagecraftError} INVALID_REQUEST with all faults, without secrets.
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
  if (!check.ok) return { faults: [{ path: 'url', expected: check.expected, received: check.received }] }
  const { href } = check
  // An unknown name may exist at the time of a delivery. A name that resolves to a private address is refused now.
  const resolution = await resolveEndpoint(href, { policy, signal, ...(lookup && { lookup }) })
  const { hostname, protocol } = new URL(href)
  if (protocol === 'http:') {
    // http is allowed for private networks only, and an unknown public name resolves to none of them.
    const isOpen = resolution === 'ok' || (resolution === 'unresolvable' && isLocalName(hostname))
    return isOpen ? { href, faults: [] } : { faults: [{ path: 'url', ...ENDPOINT_PROBLEMS.http_public }] }
  }
  if (resolution !== 'unsafe') return { href, faults: [] }
  const received = 'a name of a private or special address'
  return { faults: [{ path: 'url', expected: 'a public host', received }] }
}

function repeatedEvents(events: readonly EventKind[]): readonly Fault[] {
  return events.flatMap((event, index) =>
    events.indexOf(event) === index
      ? []
      : [{ path: `events.${index}`, expected: 'each event once', received: `${event} again` }],
  )
}

function secretFaults(secret: string | undefined): readonly Fault[] {
  const fault = secret === undefined ? undefined : secretFault(secret)
  return fault === undefined ? [] : [{ path: 'secret', ...fault }]
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
