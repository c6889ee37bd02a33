// Each handler behind a real server of its framework, all with the same behaviour.
import { once } from 'node:events'
import { createServer, type RequestListener, request as openRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signDelivery } from '../sign-delivery.ts'
import {
  expressHandler,
  fastifyPlugin,
  fetchHandler,
  type HandlerOptions,
  honoHandler,
  nodeHandler,
  type WebhookEvent,
} from './index.ts'

interface Running {
  readonly port: number
  readonly close: () => Promise<unknown>
}

type OnEvent = (event: WebhookEvent) => unknown

/** Serves a handler at `/hook`, and at `/json` behind what parses JSON, where the framework has that. */
type Start = (onEvent: OnEvent, options: HandlerOptions) => Promise<Running>

async function listen(listener: RequestListener): Promise<Running> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { port: (server.address() as AddressInfo).port, close }
}

const FRAMEWORKS: Readonly<Record<string, Start>> = {
  'node:http': (onEvent, options) => listen(nodeHandler(onEvent, options)),
  express: (onEvent, options) => {
    const app = express()
    app.post('/raw', express.raw({ type: '*/*' }), expressHandler(onEvent, options))
    app.all('/hook', expressHandler(onEvent, options))
    app.post('/parsed', express.json(), expressHandler(onEvent, options))
    return listen(app)
  },
  fastify: async (onEvent, options) => {
    const app = fastify({ forceCloseConnections: true })
    await app.register(fastifyPlugin, { path: '/hook', onEvent, ...options })
    app.post('/parsed', (request, reply) => reply.send({ parsed: request.body }))
    await app.listen({ port: 0, host: '127.0.0.1' })
    return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }
  },
  hono: async (onEvent, options) => {
    const app = new Hono()
    app.all('/hook', honoHandler(onEvent, options))
    app.post('/raw', async (context, next) => {
      await context.req.json().catch(() => {})
      await next()
    })
    app.post('/raw', honoHandler(onEvent, options))
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
    await once(server, 'listening')
    const close = async (): Promise<void> => {
      if ('closeAllConnections' in server) server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
    return { port: (server.address() as AddressInfo).port, close }
  },
  fetch: (onEvent, options) => listen(getRequestListener(fetchHandler(onEvent, options))),
}

const SECRET = 'my-shared-secret'
const BODY = JSON.stringify({
  id: 'evt_1',
  event: 'scan.completed',
  created_at: '2026-11-21T00:00:00.000Z',
  project_id: 'proj_1',
  data: { text: 'é😀' },
})

function signed(body: string | Uint8Array = BODY): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000)
  return {
    'content-type': 'application/json',
    ...signDelivery({ id: 'evt_1', timestamp, body, secrets: [SECRET] }),
  }
}

const MAX_BYTES = 2000

describe.each(Object.entries(FRAMEWORKS))('%s', (name, start) => {
  const events: WebhookEvent[] = []
  const errors: unknown[] = []
  let onEvent: OnEvent = () => {}
  let running: Running | undefined

  beforeAll(async () => {
    const receive: OnEvent = async (event) => {
      events.push(event)
      await onEvent(event)
    }
    running = await start(receive, {
      secret: SECRET,
      maxBytes: MAX_BYTES,
      onError: (error) => void errors.push(error),
    })
  })
  afterAll(async () => await running?.close())
  beforeEach(() => {
    events.length = 0
    errors.length = 0
    onEvent = () => {}
  })

  async function post(change: RequestInit = {}, path = '/hook'): Promise<readonly [number, unknown]> {
    const url = `http://127.0.0.1:${running?.port}${path}`
    const response = await fetch(url, { method: 'POST', headers: signed(), body: BODY, ...change })
    const text = await response.text()
    if (change.method !== 'GET') {
      expect(response.headers.get('content-type')).toMatch(/^application\/json(; charset=utf-8)?$/)
    }
    return [response.status, text.startsWith('{') ? JSON.parse(text) : text]
  }

  test('answers 200 after the callback', async () => {
    let isDone = false
    onEvent = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      isDone = true
    }
    expect(await post()).toEqual([200, { received: true }])
    expect([events, isDone, errors]).toEqual([[JSON.parse(BODY)], true, []])
  })

  test('answers 401 if the signature is wrong', async () => {
    const refused = [401, { received: false, reason: 'signature_mismatch' }]
    expect(await post({ body: BODY.replace('é', 'e') })).toEqual(refused)
    expect(await post({ headers: signed('{}') })).toEqual(refused)
    expect(await post({ headers: { 'content-type': 'application/json' } })).toEqual([
      401,
      { received: false, reason: 'missing_service_signature' },
    ])
    expect(await post({ headers: {}, body: '{' })).toEqual([
      401,
      { received: false, reason: 'missing_service_signature' },
    ])
    expect(await post({ headers: signed(''), body: '' })).toEqual([
      400,
      { received: false, reason: 'invalid_json' },
    ])
    expect([events, errors]).toEqual([[], []])
  })

  test('answers 400 if a signed body is not JSON', async () => {
    expect(await post({ headers: signed('{'), body: '{' })).toEqual([
      400,
      { received: false, reason: 'invalid_json' },
    ])
    expect(events).toEqual([])
  })

  test('accepts any content type, and none', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-8',
    ]) {
      expect(await post({ headers: { ...signed(), 'content-type': type } })).toEqual([
        200,
        { received: true },
      ])
    }
    expect(await post({ headers: signed(), body: new Uint8Array(Buffer.from(BODY)) })).toEqual([
      200,
      { received: true },
    ])
  })

  test('answers 500 if the callback throws', async () => {
    onEvent = () => {
      throw new Error('canary')
    }
    expect(await post()).toEqual([500, { received: false, reason: 'handler_failed' }])
    expect(errors).toEqual([new Error('canary')])
  })

  test('answers 413 to a body above the limit, with a length and without', async () => {
    const fits = `"${'x'.repeat(MAX_BYTES - 2)}"`
    expect(await post({ headers: signed(fits), body: fits })).toEqual([200, { received: true }])
    const tooLarge = [413, { received: false, reason: 'too_large' }]
    const over = `"${'x'.repeat(MAX_BYTES - 1)}"`
    expect(await post({ headers: signed(over), body: over })).toEqual(tooLarge)
    const stream = new Blob([over]).stream()
    expect(await post({ headers: signed(over), body: stream, duplex: 'half' })).toEqual(tooLarge)
    expect(events).toHaveLength(1)
  })

  test('does not read an endless body', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const outgoing = openRequest({ port: running?.port, path: '/hook', method: 'POST', headers: signed() })
      const timer = setInterval(() => outgoing.write('x'.repeat(100)), 1)
      outgoing.on('error', reject)
      outgoing.on('close', () => clearInterval(timer))
      outgoing.on('response', (response) => {
        resolve(response.statusCode)
        outgoing.destroy()
      })
    })
    expect(status).toBe(413)
  })

  test('accepts only POST', async () => {
    const [status] = await post({ method: 'PUT' })
    // Fastify has no other route.
    expect(status).toBe(name === 'fastify' ? 404 : 405)
    expect(events).toEqual([])
  })

  test('continues after a sender gives up', async () => {
    const controller = new AbortController()
    const body = new ReadableStream({ pull: () => void setTimeout(() => controller.abort(), 20) })
    const init = { body, signal: controller.signal, duplex: 'half' } as RequestInit
    await expect(post(init)).rejects.toThrow()
    expect(await post()).toEqual([200, { received: true }])
  })
})

describe('behind other middleware', () => {
  const errors: unknown[] = []
  const options = { secret: SECRET, onError: (error: unknown) => void errors.push(error) }

  async function post(framework: string, path: string): Promise<readonly [number, unknown]> {
    errors.length = 0
    const running = await FRAMEWORKS[framework]?.(() => {}, options)
    const url = `http://127.0.0.1:${running?.port}${path}`
    const response = await fetch(url, { method: 'POST', headers: signed(), body: BODY })
    const answer = [response.status, await response.json()] as const
    await running?.close()
    return answer
  }

  test('works after express.raw()', async () => {
    expect(await post('express', '/raw')).toEqual([200, { received: true }])
  })

  test('explains why it does not work after express.json()', async () => {
    expect(await post('express', '/parsed')).toEqual([500, { received: false, reason: 'body_not_readable' }])
    expect(errors).toMatchObject([{ reason: 'invalid_payload' }])
  })

  test('works in Hono', async () => {
    expect(await post('hono', '/raw')).toEqual([200, { received: true }])
  })

  test('leaves the parsers of the rest of a Fastify application unchanged', async () => {
    expect(await post('fastify', '/parsed')).toEqual([200, { parsed: JSON.parse(BODY) }])
  })
})

test('creating a handler without a secret fails', async () => {
  const options = { secret: undefined }
  for (const make of [nodeHandler, expressHandler, fetchHandler, honoHandler] as const) {
    expect(() => (make as typeof fetchHandler)(() => {}, options)).toThrow('expected a secret')
  }
  const app = fastify()
  await expect(app.register(fastifyPlugin, { onEvent: () => {}, ...options })).rejects.toThrow(
    'expected a secret',
  )
})
