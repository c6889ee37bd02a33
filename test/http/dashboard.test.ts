// The pages under /app: what is answered, as what, and with which headers.
import { expect, test } from 'vitest'
import { startApi } from './api-service.ts'

const bytes = (text: string) => Buffer.from(text)
const FILES = new Map([
  ['index.html', { type: 'text/html; charset=utf-8', bytes: bytes('<html>') }],
  ['favicon.svg', { type: 'image/svg+xml', bytes: bytes('<svg/>') }],
  [
    'assets/main-1.js',
    { type: 'text/javascript; charset=utf-8', bytes: bytes('plain'), brotli: bytes('br'), gzip: bytes('gz') },
  ],
])
const dashboard = { files: () => Promise.resolve(FILES) }
const HTML = { accept: 'text/html' }

test('every address of the pages returns the page, even with a dot in it; files are returned as files', async () => {
  const { ask } = await startApi({ dashboard })
  for (const path of ['/app/', '/app/units/unit_1', '/app/sources/raw.stripe.payments']) {
    const response = await ask(`GET ${path}`, { key: null, headers: HTML })
    expect([response.status, await response.text()]).toEqual([200, '<html>'])
    expect(response.headers.get('cache-control')).toBe('no-cache')
  }
  const icon = await ask('GET /app/favicon.svg', { key: null })
  expect([icon.headers.get('content-type'), await icon.text()]).toEqual(['image/svg+xml', '<svg/>'])
  const moved = await fetch((await startApi({ dashboard })).url + '/app', { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/app/'])
})

test.each([
  ['br, gzip', 'br', 'br'],
  ['gzip', 'gzip', 'gz'],
  ['br;q=0, gzip', 'gzip', 'gz'],
  ['identity', null, 'plain'],
])('with Accept-Encoding %s, the encoding is %s', async (accepted, encoding, text) => {
  const { app } = await startApi({ dashboard })
  const headers = { 'accept-encoding': accepted }
  const response = await app.inject({ url: '/app/assets/main-1.js', headers })
  expect([response.headers['content-encoding'] ?? null, response.body]).toEqual([encoding, text])
  expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
})

test('missing files have the usual error, whatever is accepted', async () => {
  const { ask } = await startApi({ dashboard })
  for (const path of ['/app/assets/other.js', '/app/assets/../../package.json', '/app/nope.js']) {
    const response = await ask(`GET ${path}`, { key: null })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
  }
  expect((await ask('GET /app/assets/other.js', { key: null, headers: HTML })).status).toBe(404)
})

test('the policy allows no inline code, other origins or frames', async () => {
  const { ask } = await startApi({ dashboard })
  const { headers } = await ask('GET /app/', { key: null })
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})

test('missing files name the command that builds them, and the next request tries again', async () => {
  let isBuilt = false
  const files = () => (isBuilt ? Promise.resolve(FILES) : Promise.reject(new Error('no files')))
  const { ask } = await startApi({ dashboard: { files } })
  const response = await ask('GET /app/', { key: null })
  expect(response.status).toBe(503)
  expect(await response.text()).toContain('node packages/dashboard/build.ts')
  isBuilt = true
  expect((await ask('GET /app/', { key: null })).status).toBe(200)
})

test('pages need files and /v1', async () => {
  for (const setup of [{}, { dashboard, serve: 'generate' as const }]) {
    const { ask } = await startApi(setup)
    expect((await ask('GET /app/', { key: null, headers: HTML })).status).toBe(404)
  }
})
