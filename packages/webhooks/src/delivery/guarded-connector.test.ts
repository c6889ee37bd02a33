import { setDefaultCACertificates, getCACertificates } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AT_ONCE_MS } from '../../../../test/at-once.ts'
import { type DeliveryPolicy, rulesOf } from '../endpoint/policy.ts'
import { selfSigned } from '../testing/certificate.ts'
import { httpReceiver, type Receiver, tlsReceiver } from '../testing/receivers.ts'
import { attemptDelivery, type DeliveryResult } from './attempt-delivery.ts'
import { createDeliveryAgent } from './delivery-agent.ts'
import { guardedConnector } from './guarded-connector.ts'
import type { Lookup } from './resolve-host.ts'

const HOST = 'hooks.example.com'

/** Gives one list of addresses after the other, the last one forever. */
function answers(...lists: readonly (readonly string[])[]): Lookup & { readonly asked: readonly string[] } {
  const asked: string[] = []
  const lookup = async (hostname: string) => {
    asked.push(hostname)
    const list = lists[asked.length - 1] ?? lists.at(-1) ?? []
    return list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  return Object.assign(lookup, { asked })
}

interface Try {
  readonly url?: string
  readonly lookup?: Lookup
  readonly policy?: DeliveryPolicy
}

/** Delivers to where a receiver listens that must not be reached, or must. */
async function deliver(port: number, { url, lookup, policy = {} }: Try): Promise<DeliveryResult> {
  return await attemptDelivery({
    url: (url ?? `https://${HOST}:PORT/`).replace('PORT', String(port)),
    body: '{}',
    headers: {},
    policy,
    ...(lookup && { lookup }),
    timeoutMs: 3000,
  })
}

const ok = (): Promise<Receiver> =>
  httpReceiver((_, response) => response.end('secret'), onTestFinished, '0.0.0.0')

describe('never opens a connection', () => {
  test.each([
    ['a private address', ['127.0.0.1']],
    ['a mapped one', ['::ffff:127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['public and private addresses', ['1.1.1.1', '127.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['an address with a zone', ['fe80::1%lo']],
    ['no address at all', ['localhost']],
  ])('for a name with %s', async (_, addresses) => {
    const { port, connections } = await ok()
    const result = await deliver(port, { lookup: answers(addresses) })
    expect(result).toMatchObject({ outcome: 'failed', failure: 'unsafe_address' })
    expect(result.excerpt).toBe(undefined)
    expect(connections()).toBe(0)
  })

  test('for a name that was public only when it was checked', async () => {
    const { port, connections } = await ok()
    const lookup = answers(['1.1.1.1'], ['127.0.0.1'])
    expect(await lookup(HOST)).toMatchObject([{ address: '1.1.1.1' }])
    expect(await deliver(port, { lookup })).toMatchObject({ failure: 'unsafe_address' })
    expect(connections()).toBe(0)
  })

  test('for a name that changes between two deliveries', async () => {
    const { port, connections } = await httpReceiver(
      (_, response) => response.writeHead(200, { connection: 'close' }).end(),
      onTestFinished,
      '0.0.0.0',
    )
    const lookup = answers(['127.0.0.2'], ['127.0.0.1'])
    const agent = createDeliveryAgent({ allowCidrs: ['127.0.0.2/32'], allowHttp: true }, { lookup })
    onTestFinished(agent.close)
    const options = { url: `http://${HOST}:${port}/`, body: '{}', headers: {}, agent }
    expect(await attemptDelivery(options)).toMatchObject({ outcome: 'delivered' })
    expect(await attemptDelivery(options)).toMatchObject({ failure: 'unsafe_address' })
    expect([connections(), lookup.asked]).toEqual([1, [HOST, HOST]])
  })

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    '0',
  ])('for the host %s', async (host) => {
    const { port, connections } = await ok()
    const policy = { allowLiterals: true, ports: [[1, 65_535]] } as const
    expect(await deliver(port, { url: `https://${host}:PORT/`, policy })).toMatchObject({
      failure: 'unsafe_url',
    })
    expect(connections()).toBe(0)
  })

  test('to a public address over http', async () => {
    const policy = { allowCidrs: ['127.0.0.0/8'], allowHttp: true }
    const lookup = answers(['1.1.1.1'])
    expect(await deliver(8080, { url: `http://${HOST}:PORT/`, policy, lookup })).toMatchObject({
      failure: 'unsafe_address',
    })
  })

  test('for a local name with a public address', async () => {
    const policy = { allowCidrs: ['127.0.0.0/8'] }
    const lookup = answers(['1.1.1.1'])
    expect(await deliver(8443, { url: 'https://receiver:PORT/', policy, lookup })).toMatchObject({
      failure: 'unsafe_address',
    })
  })

  test('to metadata services, even if the allow-list has them', async () => {
    const policy = { allowCidrs: ['0.0.0.0/0', '::/0'], allowHttp: true }
    for (const address of ['169.254.169.254', '::ffff:a9fe:a9fe', 'fd00:ec2::254', '100.100.100.200']) {
      const lookup = answers([address])
      expect(await deliver(8080, { url: `http://${HOST}:PORT/`, policy, lookup })).toMatchObject({
        failure: 'unsafe_address',
      })
    }
  })
})

test.each(['127.0.0.1', HOST, 'receiver', 'localhost', 'hooks.internal'])(
  'reaches %s if the allow-list has its address',
  async (host) => {
    const { port, connections } = await ok()
    const policy = { allowCidrs: ['127.0.0.0/8'], allowHttp: true }
    const result = await deliver(port, {
      url: `http://${host}:PORT/`,
      policy,
      lookup: answers(['127.0.0.1']),
    })
    expect(result).toMatchObject({ outcome: 'delivered', excerpt: 'secret' })
    expect(connections()).toBe(1)
  },
)

test('tries the next address if the first does not answer', async () => {
  const { port } = await httpReceiver((_, response) => response.end(), onTestFinished)
  const policy = { allowCidrs: ['127.0.0.0/8'], allowHttp: true }
  const lookup = answers(['127.0.0.9', '127.0.0.1'])
  expect(await deliver(port, { url: `http://${HOST}:PORT/`, policy, lookup })).toMatchObject({
    outcome: 'delivered',
  })
})

describe('the DNS', () => {
  test.each(['ENOTFOUND', 'EAI_AGAIN', 'ESERVFAIL'])(
    'error %s is not reported as an unsafe address',
    async (code) => {
      const lookup = () => Promise.reject(Object.assign(new Error('canary'), { code }))
      expect(await deliver(8443, { lookup })).toEqual({
        outcome: 'failed',
        failure: 'dns',
        code,
        durationMs: expect.any(Number),
      })
    },
  )

  test('error for a name without an address is reported', async () => {
    expect(await deliver(8443, { lookup: answers([]) })).toMatchObject({ failure: 'dns', code: 'ENOTFOUND' })
  })

  test('without an answer runs into the time limit', async () => {
    const lookup: Lookup = () => new Promise(() => {})
    const options = { url: `https://${HOST}/`, body: '', headers: {}, policy: {}, lookup }
    const result = await attemptDelivery({ ...options, timeoutMs: 200 })
    expect(result).toMatchObject({ outcome: 'failed', failure: 'timeout' })
    expect(result.durationMs).toBeLessThan(AT_ONCE_MS)
  })

  test('resolves localhost', async () => {
    const { port } = await ok()
    const policy = { allowCidrs: ['127.0.0.0/8', '::1/128'], allowHttp: true }
    expect(await deliver(port, { url: 'http://localhost:PORT/', policy })).toMatchObject({
      outcome: 'delivered',
    })
  })
})

test('ignores the proxy in the environment', async () => {
  const proxy = await httpReceiver((_, response) => response.end(), onTestFinished)
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy']
  for (const name of [...names, 'NODE_USE_ENV_PROXY']) {
    const before = process.env[name]
    onTestFinished(() => {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    })
    process.env[name] = names.includes(name) ? `http://127.0.0.1:${proxy.port}` : '1'
  }
  const { port } = await ok()
  const policy = { allowCidrs: ['127.0.0.0/8'], allowHttp: true }
  expect(await deliver(port, { url: 'http://127.0.0.1:PORT/', policy })).toMatchObject({ excerpt: 'secret' })
  expect(proxy.connections()).toBe(0)
})

describe('the connector', () => {
  /** Returns true if a connection succeeds under rules that no URL was checked against. */
  async function connect(
    hostname: string,
    port: number,
    isOpen: (address: string) => boolean,
  ): Promise<string> {
    const rules = { ...rulesOf({}), isOpen, isAllowListed: isOpen }
    const target = { hostname, host: hostname, protocol: 'http:', port: String(port) }
    const { promise, resolve } = Promise.withResolvers<string>()
    guardedConnector(rules, answers(['127.0.0.1']))(target, (...[error, socket]) => {
      socket?.destroy()
      resolve(error === null ? 'connected' : error.name)
    })
    return await promise
  }

  test('checks IP addresses, for which sockets do no DNS lookup', async () => {
    const { port, connections } = await ok()
    for (const host of ['127.0.0.1', '::1', '[::ffff:127.0.0.1]', '127.0.0.1.']) {
      expect(await connect(host, port, () => false)).toBe('UnsafeAddress')
    }
    expect(connections()).toBe(0)
    expect(await connect('127.0.0.1', port, () => true)).toBe('connected')
  })

  test('checks the remote address again after connecting', async () => {
    const { port } = await ok()
    let checks = 0
    expect(await connect(HOST, port, () => (checks += 1) === 1)).toBe('UnsafeAddress')
    expect(checks).toBe(2)
  })
})

describe('TLS', () => {
  const policy = { allowCidrs: ['127.0.0.0/8'] }
  const lookup = answers(['127.0.0.1'])

  function trust(certificate: string): void {
    const before = getCACertificates('default')
    setDefaultCACertificates([...before, certificate])
    onTestFinished(() => setDefaultCACertificates(before))
  }

  test('fails for an untrusted certificate, before anything is sent', async () => {
    let requests = 0
    const { port } = await tlsReceiver(() => (requests += 1), selfSigned({ name: HOST }), onTestFinished)
    expect(await deliver(port, { policy, lookup })).toMatchObject({
      outcome: 'failed',
      failure: 'tls',
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    })
    expect(requests).toBe(0)
  })

  test('checks the certificate against the name, not the address', async () => {
    const certificate = selfSigned({ name: HOST })
    trust(certificate.cert)
    const names: unknown[] = []
    const { port } = await tlsReceiver(
      (request, response) => {
        names.push('servername' in request.socket ? request.socket.servername : undefined)
        response.end('safe')
      },
      certificate,
      onTestFinished,
    )
    expect(await deliver(port, { policy, lookup })).toMatchObject({ outcome: 'delivered', excerpt: 'safe' })
    expect(names).toEqual([HOST])
    expect(await deliver(port, { policy, lookup, url: 'https://other.example.com:PORT/' })).toMatchObject({
      failure: 'tls',
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
  })

  test('fails for an expired certificate', async () => {
    const certificate = selfSigned({ name: HOST, isExpired: true })
    trust(certificate.cert)
    const { port } = await tlsReceiver((_, response) => response.end(), certificate, onTestFinished)
    expect(await deliver(port, { policy, lookup })).toMatchObject({
      failure: 'tls',
      code: 'CERT_HAS_EXPIRED',
    })
  })

  test('fails for a server that speaks plain HTTP', async () => {
    const { port } = await ok()
    expect(await deliver(port, { policy, lookup })).toMatchObject({ failure: 'tls' })
  })
})
