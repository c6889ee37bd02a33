import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { requestJson } from './http-json.ts'

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('sends JSON, and reads JSON or text', async () => {
  const url = await serve((request, response) => {
    request.pipe(response.writeHead(request.headers['content-type'] === 'application/json' ? 200 : 400))
  })
  expect(await requestJson(url, { method: 'POST', body: { a: 1 } })).toMatchObject({
    status: 200,
    body: { a: 1 },
  })
  expect(await requestJson(url, { method: 'POST', body: 'select 1' })).toMatchObject({
    status: 400,
    body: 'select 1',
  })
  expect(await requestJson(url, {})).toMatchObject({ status: 400, body: undefined })
})

test('retries while the server is busy, and then returns its answer', async () => {
  let calls = 0
  const url = await serve((_, response) => {
    calls++
    response.writeHead(503, { 'retry-after': '0' }).end('busy')
  })
  expect(await requestJson(url, {})).toMatchObject({ status: 503, body: 'busy' })
  expect(calls).toBe(4)
  await requestJson(url, { retries: 0 })
  expect(calls).toBe(5)
})

test('does not follow redirects', async () => {
  let calls = 0
  const url = await serve((_, response) => {
    calls++
    response.writeHead(307, { location: '/' }).end()
  })
  await expect(requestJson(url, { headers: { authorization: 'Bearer canary' } })).rejects.toThrow('redirect')
  expect(calls).toBe(1)
})

test('stops an answer that is too long, too late, or cancelled', async () => {
  const endless = await serve((_, response) => {
    const timer = setInterval(() => response.write('x'.repeat(1000)), 1)
    response.on('close', () => clearInterval(timer))
  })
  await expect(requestJson(endless, { maxBytes: 5000 })).rejects.toMatchObject({ code: 'ERR_TOO_LARGE' })
  const silent = await serve(() => undefined)
  await expect(requestJson(silent, { seconds: 0.05 })).rejects.toMatchObject({ code: 'ERR_NO_ANSWER' })
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(requestJson(silent, { signal })).rejects.toThrow('enough')
})

test('reports the network error', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  await expect(requestJson(`http://127.0.0.1:${port}/`, {})).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('keeps the digits of large whole numbers', async () => {
  const body =
    '{"a": [9007199254740993, -9223372036854775808], "b": 12345678901234567, "c": 1e300, "d": 7, "e": "9007199254740993"}'
  const fetch = () => Promise.resolve(new Response(body))
  expect((await requestJson('http://localhost/', { fetch })).body).toEqual({
    a: ['9007199254740993', '-9223372036854775808'],
    b: '12345678901234567',
    c: 1e300,
    d: 7,
    e: '9007199254740993',
  })
})
