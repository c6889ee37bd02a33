import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AT_ONCE_MS } from '../../../../test/at-once.ts'
import { hang, json, text } from '../testing/replies.ts'
import { ALL_FIXTURES, CANARY_KEY, CANARY_PROMPT, failureOfCall, openOn, REQUEST } from '../testing/run.ts'
import { type StubReply, useStubServer } from '../testing/stub-server.ts'
import { watchHost } from './host-watch.ts'

const server = useStubServer({ beforeAll, afterAll })

const SOON = { probeAfterMs: 40, probeTimeoutMs: 60 }
const LONG = { ...REQUEST, timeoutMs: 600_000 }

function probes() {
  return server.requests.filter(({ method }) => method === 'GET')
}

/** A fetch that notes what it is asked for. */
function spy() {
  const sent: { readonly input: unknown; readonly init: RequestInit | undefined }[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push({ input, init })
    return await globalThis.fetch(input, init)
  }
  return { fetch, sent }
}

/** A model that takes its time, on a server that answers other requests meanwhile. */
function slowly(answer: StubReply, toProbe: StubReply): StubReply {
  return async (response, request) => {
    if (request.method === 'GET') return await toProbe(response, request)
    await new Promise((resolve) => setTimeout(resolve, 250))
    await answer(response, request)
  }
}

describe.each(ALL_FIXTURES)('$name', (fixtures) => {
  test('gives up on a host that answers neither the call nor two probes', async () => {
    server.answer(hang())
    const { fetch, sent } = spy()
    const backend = openOn(fixtures, server, { ...SOON, fetch })
    const begun = performance.now()
    const error = await failureOfCall(backend.complete(LONG))
    expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS)
    const { host } = new URL(server.url)
    expect(error).toMatchObject({ kind: 'network', isProven: true, detail: `no answer from ${host}` })
    expect(error.message).toBe(`${backend.id}: the provider cannot be reached (no answer from ${host})`)
    expect(sent.map(({ init }) => init?.method)).toEqual(['POST', 'GET', 'GET'])
  })

  test('sends neither key nor prompt with a probe, and follows no redirect', async () => {
    server.answer(slowly(json(fixtures.ok('hi')), text('')))
    const { fetch, sent } = spy()
    const options = { probeAfterMs: 40, probeTimeoutMs: 60_000, baseUrl: `${server.url}/a/v1`, fetch }
    await openOn(fixtures, server, options).complete(LONG)
    expect(probes().length).toBeGreaterThan(0)
    for (const { body, headers, path } of probes()) {
      expect({ path, body }).toEqual({ path: '/', body: {} })
      expect(headers).not.toHaveProperty('authorization')
      expect(headers).not.toHaveProperty('x-api-key')
    }
    const asked = [probes(), sent.filter(({ init }) => init?.method === 'GET')]
    expect(inspect(asked, { depth: Infinity })).not.toContain(CANARY_KEY)
    expect(inspect(asked, { depth: Infinity })).not.toContain(CANARY_PROMPT)
    expect(new Set(sent.map(({ init }) => init?.redirect))).toEqual(new Set(['manual']))
  })

  test.each([307, 401, 500])('waits for a slow model whose host answers %i', async (status) => {
    const elsewhere = { location: 'http://127.0.0.1:9/' }
    server.answer(slowly(json(fixtures.ok('hi')), text('', { status, headers: elsewhere })))
    const backend = openOn(fixtures, server, { probeAfterMs: 40, probeTimeoutMs: 60_000 })
    expect(await backend.complete(LONG)).toMatchObject({ text: 'hi' })
    expect(probes().length).toBeGreaterThan(0)
    expect(server.requests.length - probes().length).toBe(1)
  })

  test('does not probe during a pause that the provider asked for', async () => {
    const busy = json(fixtures.error('rate_limit_error', ''), 429, { 'retry-after-ms': '300' })
    server.answer(busy, json(fixtures.ok('hi')))
    const backend = openOn(fixtures, server, { probeAfterMs: 200, probeTimeoutMs: 60_000 })
    expect(await backend.complete(LONG)).toMatchObject({ text: 'hi' })
    expect(probes()).toEqual([])
  })

  test.each(['refuses', 'ignores its signal'])('gives up when the probe %s', async (situation) => {
    const fetch = async (_: unknown, init?: RequestInit) => {
      if (situation === 'refuses' && init?.method === 'GET') throw new TypeError('fetch failed')
      return await new Promise<never>(() => {})
    }
    const error = await failureOfCall(openOn(fixtures, server, { ...SOON, fetch }).complete(LONG))
    expect(error).toMatchObject({ kind: 'network', isProven: true })
  })

  test('never probes if probes are disabled', async () => {
    server.answer(slowly(json(fixtures.ok('hi')), hang()))
    const backend = openOn(fixtures, server, { ...SOON, probeAfterMs: Infinity })
    expect(await backend.complete(LONG)).toMatchObject({ text: 'hi' })
    expect(probes()).toEqual([])
  })

  test('stops at the signal while it probes', async () => {
    server.answer(hang())
    const reason = new Error('stopped')
    const stop = new AbortController()
    const backend = openOn(fixtures, server, { probeAfterMs: 20, probeTimeoutMs: 60_000 })
    setTimeout(() => stop.abort(reason), 150)
    await expect(backend.complete({ ...LONG, signal: stop.signal })).rejects.toBe(reason)
  })
})

test('answers to other calls are a sign of life of a host that handles one call at a time', async () => {
  const fetch = async () => await new Promise<never>(() => {})
  const rest = { apiKey: undefined, model: 'm', baseUrl: 'http://127.0.0.1:9', maxRetries: 0 }
  const host = watchHost({ ...rest, ...SOON, fetch })
  const answers = setInterval(host.heard, 50)
  const signal = AbortSignal.timeout(500)
  const watched = host.untilSilent({ isWaiting: () => true, signal })
  await expect(watched).rejects.toMatchObject({ name: expect.stringMatching(/^(?:Abort|Timeout)Error$/) })
  clearInterval(answers)
})
