import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { beforeAll, afterAll, expect, test } from 'vitest'
import { selfSigned } from '../../../webhooks/src/testing/certificate.ts'
import { parseAddress } from './address.ts'
import { requestJson } from './http-json.ts'
import { fetchOf } from './tls-fetch.ts'

const SERVER = { engine: 'Trino', form: 'trino://user@host:8443/catalog', port: 8443 }
const own = selfSigned({ name: 'localhost' })
const user = selfSigned({ name: 'reader' })
const folder = mkdtempSync(join(tmpdir(), 'stagecraft-tls-'))
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const files = {
  ca: file('ca.pem', own.cert),
  cert: file('cert.pem', user.cert),
  key: file('key.pem', user.key),
}

const server = createServer(
  { ...own, requestCert: true, rejectUnauthorized: false },
  ({ method, socket, url }, response) => {
    const { subject } = (socket as TLSSocket).getPeerCertificate()
    if (url === '/elsewhere') response.writeHead(302, { location: 'https://example.com' }).end()
    else if (method === 'DELETE') response.writeHead(204).end()
    else response.end(JSON.stringify({ method, user: subject?.CN ?? null }))
  },
)
let port = 0
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

const fetchFor = (options: Readonly<Record<string, string>>): ReturnType<typeof fetchOf> =>
  fetchOf(parseAddress(`trino://localhost:${port}/hive?${new URLSearchParams(options).toString()}`, SERVER))

const ask = async (
  options: Readonly<Record<string, string>>,
  path = '/',
  method: 'POST' | 'DELETE' = 'POST',
) =>
  requestJson(`https://localhost:${port}${path}`, {
    method,
    body: 'select 1',
    fetch: await fetchFor(options),
  })

test("is Node's own unless an address has TLS options", async () => {
  expect(await fetchFor({})).toBeUndefined()
  await expect(ask({})).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
})

test('trusts a certificate, and sends a client certificate', async () => {
  const { body, status } = await ask({ sslrootcert: files.ca, sslcert: files.cert, sslkey: files.key })
  expect([status, body]).toEqual([200, { method: 'POST', user: 'reader' }])
  expect((await ask({ sslrootcert: files.ca })).body).toEqual({ method: 'POST', user: null })
  expect((await ask({ sslrootcert: files.ca }, '/', 'DELETE')).status).toBe(204)
})

test('trusts any certificate only with verify=false, and never an unknown one otherwise', async () => {
  expect((await ask({ verify: 'false' })).status).toBe(200)
  await expect(ask({ sslrootcert: files.cert })).rejects.toMatchObject({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
})

test('does not follow redirects', async () => {
  await expect(ask({ verify: 'false' }, '/elsewhere')).rejects.toThrow('redirects are not followed')
})

test('stops with its signal', async () => {
  const fetch = await fetchFor({ verify: 'false' })
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(requestJson(`https://localhost:${port}/`, { signal, fetch })).rejects.toThrow('enough')
})

test('names a missing file', async () => {
  await expect(fetchFor({ sslkey: join(folder, 'none.pem') })).rejects.toThrow(
    /^catalog: sslkey: expected a PEM file, got .*none\.pem, which cannot be read$/,
  )
})
