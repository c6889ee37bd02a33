import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { getEventListeners, once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import type { BackendRequest } from '@stagecraft/spec'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { AT_ONCE_MS } from '../../../../test/at-once.ts'
import { anthropicFixtures } from '../testing/anthropic-fixtures.ts'
import { chatFixtures } from '../testing/chat-fixtures.ts'
import { openaiFixtures } from '../testing/openai-fixtures.ts'
import { TOOL_CALL } from '../testing/api-fixtures.ts'
import { events, hang, json } from '../testing/replies.ts'
import { ALL_FIXTURES, CANARY_KEY, CANARY_PROMPT, failureOfCall, openOn, REQUEST } from '../testing/run.ts'
import { useStubServer } from '../testing/stub-server.ts'

const server = useStubServer({ beforeAll, afterAll })
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** The keys that may be sent, for each backend, for the smallest and the largest request. */
const LEAST_KEYS: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['max_tokens', 'messages', 'model'],
  openai: ['include', 'input', 'max_output_tokens', 'model', 'store'],
  'openai-compatible': ['max_tokens', 'messages', 'model'],
}
const MOST_KEYS: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['max_tokens', 'messages', 'model', 'output_config', 'stream', 'system', 'tools'],
  openai: [
    'include',
    'input',
    'instructions',
    'max_output_tokens',
    'model',
    'store',
    'stream',
    'text',
    'tools',
  ],
  'openai-compatible': [
    'max_tokens',
    'messages',
    'model',
    'response_format',
    'stream',
    'stream_options',
    'tools',
  ],
}

const ID = TOOL_CALL.id
const USER = { role: 'user', content: CANARY_PROMPT }
const TOOL_ITEMS = openaiFixtures.toolTurn as readonly unknown[]

/** The wire form of the conversation below. The first tool turn came whole, the second one in a stream. */
const CONVERSATIONS: Readonly<Record<string, object>> = {
  anthropic: {
    messages: [
      USER,
      { role: 'assistant', content: anthropicFixtures.toolTurn },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: ID, content: 'a, b', is_error: true }],
      },
      { role: 'assistant', content: anthropicFixtures.toolTurn },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: ID, content: 'c' }] },
    ],
  },
  openai: {
    input: [
      USER,
      ...TOOL_ITEMS,
      { type: 'function_call_output', call_id: ID, output: 'error: a, b' },
      ...TOOL_ITEMS,
      { type: 'function_call_output', call_id: ID, output: 'c' },
    ],
  },
  'openai-compatible': {
    messages: [
      { role: 'system', content: REQUEST.system },
      USER,
      chatFixtures.toolTurn,
      { role: 'tool', tool_call_id: ID, content: 'error: a, b' },
      { role: 'assistant', content: null, tool_calls: [{ id: ID, type: 'function' }] },
      { role: 'tool', tool_call_id: ID, content: 'c' },
    ],
  },
}

const SCHEMA = { type: 'object', properties: {}, required: [], additionalProperties: false }

const FULL_REQUEST: BackendRequest = {
  ...REQUEST,
  output: { name: 'plan', schema: SCHEMA },
  tools: [{ name: 'list_columns', description: 'Lists columns.', input: SCHEMA }],
}

describe.each(ALL_FIXTURES)('$name', (fixtures) => {
  test('sends these parameters, and none for sampling', async () => {
    server.answer(json(fixtures.ok('hi')), events(fixtures.stream('hello')))
    const backend = openOn(fixtures, server)
    await backend.complete({ ...REQUEST, system: '', tools: [] })
    await backend.complete({ ...FULL_REQUEST, onText: () => {} })
    const [least, most] = server.requests.map(({ body }) => Object.keys(body).toSorted())
    expect(least).toEqual(LEAST_KEYS[fixtures.name])
    expect(most).toEqual(MOST_KEYS[fixtures.name])
  })

  test('keeps the tools of a model that must answer now, and forbids their use', async () => {
    server.answer(json(fixtures.ok('hi')), json(fixtures.ok('hi')))
    const backend = openOn(fixtures, server)
    await backend.complete({ ...FULL_REQUEST, toolChoice: 'none' })
    await backend.complete({ ...FULL_REQUEST, tools: [], toolChoice: 'none' })
    const [forbidden, without] = server.requests.map(({ body }) => body)
    expect(forbidden).toMatchObject({
      tools: [expect.anything()],
      tool_choice: fixtures.name === 'anthropic' ? { type: 'none' } : 'none',
    })
    expect(without).not.toHaveProperty('tool_choice')
  })

  test('sends these headers', async () => {
    server.answer(json(fixtures.ok('hi')))
    await openOn(fixtures, server).complete(REQUEST)
    const { headers = {} } = server.requests[0] ?? {}
    const ofTheConnection =
      /^(?:accept-encoding|accept-language|connection|content-length|host|sec-fetch-mode)$/
    const sent = Object.entries(headers).filter(([name]) => !ofTheConnection.test(name))
    expect(Object.fromEntries(sent)).toEqual({
      accept: 'application/json',
      authorization: `Bearer ${CANARY_KEY}`,
      'content-type': 'application/json',
      'user-agent': 'stagecraft',
      ...(fixtures.name === 'anthropic' && { 'anthropic-version': '2026-10-21' }),
    })
  })

  test('reads nothing from the environment', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stagecraft-llm-'))
    await mkdir(join(folder, 'configs'))
    const profile = { base_url: 'http://127.0.0.1:9', authentication: { type: 'user_oauth' } }
    await writeFile(join(folder, 'configs', 'default.json'), JSON.stringify(profile))
    for (const [name, value] of Object.entries(environment(folder))) vi.stubEnv(name, value)
    const written = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')]
    const logged = (['debug', 'info', 'log', 'warn', 'error'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => {}),
    )
    server.answer(json(fixtures.ok('hi')), events(['data: {"broken\n\n', 'event: x\ndata: {"broken\n\n']))
    const backend = openOn(fixtures, server)
    await backend.complete(REQUEST)
    await failureOfCall(backend.complete({ ...REQUEST, onText: () => {} }))
    expect(JSON.stringify(server.requests)).not.toContain('from-environment')
    expect(server.requests).toHaveLength(2)
    expect(server.requests[0]?.headers['anthropic-version'] ?? '2026-10-21').toBe('2026-10-21')
    for (const spy of [...logged, ...written]) expect(spy).not.toHaveBeenCalled()
    await rm(folder, { recursive: true })
  })

  test('plays a conversation with a tool and thoughts', async () => {
    server.answer(json(fixtures.tool), events(fixtures.toolStream), json(fixtures.ok('done')))
    const backend = openOn(fixtures, server)
    const whole = await backend.complete(FULL_REQUEST)
    const streamed = await backend.complete({ ...FULL_REQUEST, onText: () => {} })
    const results = [{ id: TOOL_CALL.id, text: 'a, b', isError: true }]
    const answer = await backend.complete({
      ...FULL_REQUEST,
      turns: [
        ...FULL_REQUEST.turns,
        whole.turn,
        { role: 'tool', results },
        streamed.turn,
        { role: 'tool', results: [{ id: TOOL_CALL.id, text: 'c' }] },
      ],
    })
    expect(answer).toMatchObject({ stop: 'end', text: 'done' })
    expect(server.requests[2]?.body).toMatchObject(CONVERSATIONS[fixtures.name] ?? {})
    expect(CONVERSATIONS).toHaveProperty([fixtures.name])
    expect(whole.turn.opaque).toEqual(fixtures.toolTurn)
  })

  test('refuses a turn of another backend', async () => {
    const turns = [...REQUEST.turns, { role: 'assistant', opaque: 'text' } as const]
    const error = await failureOfCall(openOn(fixtures, server).complete({ ...REQUEST, turns }))
    expect(error).toMatchObject({ kind: 'bad_request', status: undefined })
    expect(error.message).toContain('an assistant turn comes from another backend')
  })

  test('does not start if the signal is already aborted', async () => {
    server.answer(json(fixtures.ok('hi')))
    const reason = new Error('stopped')
    const call = openOn(fixtures, server).complete({ ...REQUEST, signal: AbortSignal.abort(reason) })
    await expect(call).rejects.toBe(reason)
    expect(server.requests).toHaveLength(0)
  })

  test.each(['silence', 'stream', 'pause'])('stops at the signal: %s', async (situation) => {
    server.answer(
      situation === 'stream'
        ? events(fixtures.stream('hello').slice(0, 3), 'hang')
        : situation === 'pause'
          ? json(fixtures.error('rate_limit_error', ''), 429, { 'retry-after-ms': '50000' })
          : hang(),
    )
    const reason = new Error('stopped')
    const stop = new AbortController()
    const texts: string[] = []
    const say = (delta: string) => {
      texts.push(delta)
      setTimeout(() => stop.abort(reason), 0)
    }
    const onText = situation === 'stream' && { onText: say }
    const call = openOn(fixtures, server).complete({
      ...REQUEST,
      ...onText,
      timeoutMs: 55_000,
      signal: stop.signal,
    })
    if (situation !== 'stream') setTimeout(() => stop.abort(reason), 80)
    const start = performance.now()
    await expect(call).rejects.toBe(reason)
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS)
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0)
    expect(texts.length > 0).toBe(situation === 'stream')
  })

  test('leaves no listener and no timer', async () => {
    server.answer(json(fixtures.ok('hi')))
    const { signal } = new AbortController()
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    await openOn(fixtures, server).complete({ ...REQUEST, timeoutMs: 987_000, signal })
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    expect(timers()).toBeLessThanOrEqual(before + 1)
  })

  test('ends in time when fetch ignores its signal', async () => {
    const fetch = async () => await new Promise<never>(() => {})
    const call = openOn(fixtures, server, { fetch }).complete({ ...REQUEST, timeoutMs: 100 })
    expect(await failureOfCall(call)).toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('(deadlineSeconds of 1 passed)') as string,
    })
  })

  test('calls the listener no more after the call', async () => {
    const [first = '', second = '', third = '', ...rest] = fixtures.stream('hello')
    const fetch = async () => new Response(slowly([first + second + third, rest.join('')]), EVENT_STREAM)
    const texts: string[] = []
    const onText = (delta: string) => void texts.push(delta)
    const call = openOn(fixtures, server, { fetch }).complete({ ...REQUEST, timeoutMs: 60, onText })
    expect(await failureOfCall(call)).toMatchObject({ kind: 'timeout' })
    const before = [...texts]
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(texts).toEqual(before)
  })

  test('reports a refused connection', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    closed.close()
    const baseUrl = `http://127.0.0.1:${port}`
    const backend = openOn(fixtures, server, { baseUrl, maxRetries: 0 })
    const error = await failureOfCall(backend.complete(REQUEST))
    expect(error).toMatchObject({ kind: 'network', status: undefined })
    expect(error.message).toBe(`${backend.id}: the provider cannot be reached (ECONNREFUSED)`)
  })

  test('passes on the error of a listener unchanged', async () => {
    server.answer(events(fixtures.stream('hello')))
    const reason = new Error('the screen is gone')
    const onText = () => {
      throw reason
    }
    await expect(openOn(fixtures, server).complete({ ...REQUEST, onText })).rejects.toBe(reason)
  })

  test('hides the key from inspection', () => {
    const backend = openOn(fixtures, server)
    expect(inspect(backend, { depth: Infinity, showHidden: true })).not.toContain(CANARY_KEY)
    expect(JSON.stringify(backend)).toBe(`{"id":"${backend.id}"}`)
  })

  test('hides a key that the server echoes in every place', async () => {
    server.answer(
      json(fixtures.error(CANARY_KEY, CANARY_KEY), 400, {
        'request-id': CANARY_KEY,
        'x-request-id': CANARY_KEY,
      }),
    )
    const error = await failureOfCall(openOn(fixtures, server).complete(REQUEST))
    expect(inspect(error, { showHidden: true, depth: Infinity })).not.toContain(CANARY_KEY)
  })

  test('reports the code, status, request and pause of a failure', async () => {
    const body = fixtures.error('rate_limit_error', 'x')
    server.answer(json(body, 429, { 'retry-after-ms': '', 'retry-after': '90' }))
    const backend = openOn(fixtures, server)
    const error = await failureOfCall(backend.complete(REQUEST))
    expect(error).toMatchObject({ status: 429, requestId: 'req_0123', retryAfterMs: 90_000 })
    expect(error.message).toBe(
      `${backend.id}: too many requests, even after a pause (rate_limit_error, status 429, request req_0123)`,
    )
  })
})

const EVENT_STREAM = { headers: { 'content-type': 'text/event-stream' } }

/** A body that does not know of any signal. */
function slowly(pieces: readonly string[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(
    (async function* say() {
      for (const piece of pieces) {
        yield new TextEncoder().encode(piece)
        await new Promise((resolve) => setTimeout(resolve, 120))
      }
    })(),
  )
}

function environment(folder: string): Readonly<Record<string, string>> {
  const elsewhere = 'http://127.0.0.1:9/from-environment'
  return {
    ANTHROPIC_API_KEY: 'from-environment',
    ANTHROPIC_AUTH_TOKEN: 'from-environment',
    ANTHROPIC_BASE_URL: elsewhere,
    ANTHROPIC_CONFIG_DIR: folder,
    ANTHROPIC_CUSTOM_HEADERS: 'x-from-environment: from-environment\nAnthropic-Version: from-environment',
    ANTHROPIC_LOG: 'debug',
    ANTHROPIC_PROFILE: 'default',
    ANTHROPIC_ORGANIZATION_ID: 'from-environment',
    OPENAI_ADMIN_KEY: 'from-environment',
    OPENAI_API_KEY: 'from-environment',
    OPENAI_BASE_URL: elsewhere,
    OPENAI_CUSTOM_HEADERS: 'x-from-environment: from-environment\nUser-Agent: from-environment',
    OPENAI_LOG: 'debug',
    OPENAI_ORG_ID: 'from-environment',
    OPENAI_PROJECT_ID: 'from-environment',
  }
}
