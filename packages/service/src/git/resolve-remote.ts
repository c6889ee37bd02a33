import { isIP } from 'node:net'
import { lookup as systemLookup } from 'node:dns/promises'
import { StagecraftError } from '@stagecraft/spec'
import { type DeliveryPolicy, type Lookup, resolveEndpoint } from '@stagecraft/webhooks'
import { pushFailed } from './failures.ts'
import type { PushPolicy } from './push-options.ts'
import type { Remote } from './remote.ts'

/** Networks of companies and this machine. Addresses of metadata services are in none of them. */
const PRIVATE_CIDRS = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
]
const TIMEOUT_MS = 10_000

export interface ResolveRemoteOptions {
  readonly policy: PushPolicy
  readonly lookup: Lookup | undefined
  readonly signal: AbortSignal
}

const systemAddresses: Lookup = async (hostname) => await systemLookup(hostname, { all: true })

/**
 * The addresses behind the host of a remote, each of which may be connected to; none for a remote that names its
 * address, or is a path. Git gets them, so that the name cannot lead elsewhere by the time it connects.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a host that is not open; CONNECTION_FAILED for one that is not known.
 */
export async function resolveRemote(
  remote: Remote,
  { policy, lookup = systemAddresses, signal }: ResolveRemoteOptions,
): Promise<readonly string[]> {
  if (remote.protocol === 'file') return []
  const { host, port, protocol } = remote
  const addresses: string[] = []
  const recorded: Lookup = async (hostname) => {
    const found = await lookup(hostname)
    addresses.push(...found.map(({ address }) => address))
    return found
  }
  const scheme = protocol === 'http' ? 'http' : 'https'
  const url = `${scheme}://${isIP(host) === 6 ? `[${host}]` : host}:${port}/`
  const resolution = await resolveEndpoint(url, {
    policy: rulesOf(remote.protocol, policy),
    lookup: recorded,
    signal,
    timeoutMs: TIMEOUT_MS,
  })
  signal.throwIfAborted()
  if (resolution === 'ok') return addresses
  throw resolution === 'unsafe' ? closedHost(protocol) : pushFailed('host_not_found')
}

function rulesOf(protocol: string, { allowPrivateHosts }: PushPolicy): DeliveryPolicy {
  return {
    allowCidrs: allowPrivateHosts ? PRIVATE_CIDRS : [],
    allowHttp: protocol === 'http',
    allowLiterals: true,
    ports: [[1, 65_535]],
  }
}

function closedHost(protocol: string): StagecraftError {
  const expected =
    protocol === 'http' ? 'https://, or a host of a private network' : 'a host that this service opens'
  const received = protocol === 'http' ? 'another host' : 'one of a private or special network'
  return StagecraftError.invalid(
    { path: 'remote', expected, received },
    { details: { reason: 'host_closed' } },
  )
}
