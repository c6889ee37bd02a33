// One suite for both bindings: the sentences of the contract about `POST /generate`, and what it leaves open.
import {
  createKey,
  type GenerationEngine,
  memoryRateLimiter,
  staticKeys,
  STATUS_CODES,
} from '@stagecraft/http'
import {
  ERROR_CODES,
  type ErrorCode,
  errorEnvelopeSchema,
  StagecraftError,
  successEnvelopeSchema,
} from '@stagecraft/spec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectFailure, expectFaults, expectSuccess } from './expect-envelope.ts'
import { BINDINGS, KEY, KEY_WITHOUT_SCOPE, post, REQUEST } from './service.ts'

function failing(error: unknown): GenerationEngine {
  return {
    async generate() {
      throw error
    },
  }
}

/** An engine that never answers, deaf to its signal. */
function hanging(onStart: (signal: AbortSignal | undefined) => void): GenerationEngine {
  return {
    generate: (_request, { signal } = {}) => {
      onStart(signal)
      return new Promise(() => undefined)
    },
  }
}

describe.each(BINDINGS)('%s', (_name, start) => {
  describe('2.1 the request', () => {
    test('has a type and a source', async () => {
      await expectSuccess(await post(await start(), REQUEST))
    })

    test('must have a type', async () => {
      const response = await post(await start(), { source: REQUEST.source })
      expectFaults(await expectFailure(response, 'INVALID_REQUEST'), 'type')
    })

    test('must have a source', async () => {
      const response = await post(await start(), { type: 'staging' })
      expectFaults(await expectFailure(response, 'INVALID_REQUEST'), 'source')
    })

    test('may have options, all of them optional', async () => {
      await expectSuccess(await post(await start(), { ...REQUEST, options: {} }))
    })

    test('includes tests when options.addTests is true', async () => {
      const service = await start()
      const withTests = await expectSuccess(await post(service, { ...REQUEST, options: { addTests: true } }))
      const without = await expectSuccess(await post(service, REQUEST))
      expect(withTests.data.tests).toEqual(['not_null', 'unique'])
      expect(without.data.tests).toEqual([])
    })

    test('includes documentation when options.addDocs is true', async () => {
      const service = await start()
      const withDocs = await expectSuccess(await post(service, { ...REQUEST, options: { addDocs: true } }))
      const without = await expectSuccess(await post(service, REQUEST))
      expect(withDocs.data.schema).toContain('What was paid.')
      expect(without.data.schema).not.toContain('description')
    })

    test('is refused with every fault at once', async () => {
      const body = { type: 'nothing', source: 7, more: 1, options: { addTests: 'yes', addDocs: 0, other: 1 } }
      const envelope = await expectFailure(await post(await start(), body), 'INVALID_REQUEST')
      const faults = envelope.error.details?.['faults'] as readonly { readonly path: string }[]
      expect(faults.map(({ path }) => path).toSorted()).toEqual(
        ['more', 'options.addDocs', 'options.addTests', 'options.other', 'source', 'type'].toSorted(),
      )
      expect(faults).toContainEqual({
        path: 'options.addTests',
        expected: 'true or false',
        received: '"yes"',
      })
    })
  })

  describe('2.2 the success envelope', () => {
    test('has success, code, schema, tests and warnings', async () => {
      const envelope = await expectSuccess(
        await post(await start(), { ...REQUEST, options: { addTests: true } }),
      )
      expect(envelope.success).toBe(true)
      expect(envelope.data.code).toContain("source('stripe', 'payments')")
      expect(envelope.data.schema).toMatch(/^version: 2\n\nmodels:\n {2}- name: /)
      expect(envelope.data.tests).toEqual(['not_null', 'unique'])
      expect(envelope.data.warnings).toEqual([])
    })

    test('has a request id, a UTC timestamp and a count of tokens', async () => {
      const { meta } = await expectSuccess(await post(await start(), REQUEST))
      expect(meta.requestId).toMatch(/^req_[0-9a-z]+$/)
      expect(meta.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(meta.tokensUsed).toBe(0)
      expect(Object.keys(meta)).toEqual(['requestId', 'timestamp', 'tokensUsed'])
    })

    test('has a different request id each time', async () => {
      const service = await start()
      const one = await expectSuccess(await post(service, REQUEST))
      const other = await expectSuccess(await post(service, REQUEST))
      expect(one.meta.requestId < other.meta.requestId || one.meta.timestamp === other.meta.timestamp).toBe(
        true,
      )
      expect(one.meta.requestId).not.toBe(other.meta.requestId)
    })
  })

  describe('4.1 the body', () => {
    test.each([
      ['nothing', ''],
      ['half of an object', '{"type": "staging"'],
      ['plain text', 'staging raw.stripe.payments'],
      ['a null', 'null'],
      ['a list', '[]'],
      ['a number', '1'],
    ])('that is %s is refused', async (_what, body) => {
      expectFaults(await expectFailure(await post(await start(), Buffer.from(body)), 'INVALID_REQUEST'), '')
    })

    test('that is not UTF-8 is refused', async () => {
      const body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])
      expectFaults(await expectFailure(await post(await start(), body), 'INVALID_REQUEST'), '')
    })

    test.each([
      ['__proto__', '{"type":"staging","source":"a.b","__proto__":{"x":1}}', '__proto__'],
      [
        'options.__proto__',
        '{"type":"staging","source":"a.b","options":{"__proto__":{}}}',
        'options.__proto__',
      ],
      ['an escaped one', String.raw`{"\u005f_proto__":{"type":"staging"}}`, '__proto__'],
    ])('with a key %s is refused', async (_what, body, path) => {
      expectFaults(await expectFailure(await post(await start(), Buffer.from(body)), 'INVALID_REQUEST'), path)
    })

    test('that is deeply nested is refused', async () => {
      const body = `{"type":${'['.repeat(200_000)}${']'.repeat(200_000)}, "a": "\\u0041"}`
      await expectFailure(await post(await start(), Buffer.from(body)), 'INVALID_REQUEST')
    })

    test.each([
      ['text/plain'],
      ['application/x-www-form-urlencoded'],
      ['application/jsonp'],
      ['junk'],
      [undefined],
    ])('with the content type %s is refused', async (type) => {
      const response = await post(await start(), REQUEST, { headers: { 'content-type': type } })
      expectFaults(await expectFailure(response, 'INVALID_REQUEST'), 'headers.content-type')
    })

    test.each([['application/json; charset=utf-8'], ['APPLICATION/JSON'], ['application/json ;x=y']])(
      'with the content type %s is read',
      async (type) => {
        await expectSuccess(await post(await start(), REQUEST, { headers: { 'content-type': type } }))
      },
    )

    test('that is compressed is refused', async () => {
      const response = await post(await start(), REQUEST, { headers: { 'content-encoding': 'gzip' } })
      expectFaults(await expectFailure(response, 'INVALID_REQUEST'), 'headers.content-encoding')
    })

    test('may be 1 MiB long and not longer', async () => {
      const service = await start()
      const body = JSON.stringify(REQUEST)
      await expectSuccess(await post(service, Buffer.from(body.padEnd(1_048_576))))
      await expectFailure(await post(service, Buffer.from(body.padEnd(1_048_577))), 'INVALID_REQUEST')
    })

    test('that is too long is refused at any length, also in chunks', async () => {
      const service = await start()
      const part = new Uint8Array(65_536).fill(32)
      const chunks = () => {
        let rest = 64
        return new ReadableStream<Uint8Array>({
          pull: (controller) => (rest-- > 0 ? controller.enqueue(part.slice()) : controller.close()),
        })
      }
      for (const body of [new Uint8Array(8_000_000), chunks()]) {
        const envelope = await expectFailure(await post(service, body), 'INVALID_REQUEST')
        expect(envelope.error.message).toBe('the body: expected at most 1048576 bytes, got more')
      }
    })

    test('has a configurable limit', async () => {
      const service = await start({ limits: { bodyBytes: 10 } })
      await expectFailure(await post(service, REQUEST), 'INVALID_REQUEST')
    })
  })

  describe('5 authentication', () => {
    const wrong = [
      ['no header', undefined],
      ['an empty one', ''],
      ['an unknown key', `Bearer ${createKey()}`],
      ['a key with one letter more', `Bearer ${KEY}0`],
      ['no key', 'Bearer'],
      ['no scheme', KEY],
      ['another scheme', `Basic ${KEY}`],
      ['two keys', `Bearer ${KEY} ${KEY}`],
      ['two headers in one', `Bearer ${KEY}, Bearer ${KEY}`],
      ['a key that is very long', `Bearer ${'a'.repeat(5000)}`],
    ] as const
    test.each(wrong)('refuses %s', async (_what, authorization) => {
      const response = await post(await start(), REQUEST, { headers: { authorization } })
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="stagecraft"')
      const { error } = await expectFailure(response, 'UNAUTHORIZED')
      expect(error.message).toBe('expected a valid key in the header "Authorization: Bearer <key>"')
    })

    test.each([[`bearer ${KEY}`], [`BEARER ${KEY}`], [`Bearer   ${KEY}  `], [`Bearer\t${KEY}`]])(
      'takes %j',
      async (authorization) => {
        await expectSuccess(await post(await start(), REQUEST, { headers: { authorization } }))
      },
    )

    test('refuses a key without the scope', async () => {
      const authorization = `Bearer ${KEY_WITHOUT_SCOPE}`
      const response = await post(await start(), REQUEST, { headers: { authorization } })
      expect(response.headers.get('www-authenticate')).toContain(
        'error="insufficient_scope", scope="generate"',
      )
      await expectFailure(response, 'FORBIDDEN')
    })

    test('is checked before the body', async () => {
      const headers = { authorization: undefined, 'content-type': 'text/plain' }
      await expectFailure(await post(await start(), Buffer.from('{'), { headers }), 'UNAUTHORIZED')
    })

    test('distinguishes a typo from an unknown key only in the log', async () => {
      const lines: { readonly reason?: string }[] = []
      const service = await start({ lines })
      const key = createKey()
      const typo = `${key.slice(0, 10)}${key[10] === 'a' ? 'b' : 'a'}${key.slice(11)}`
      const answers = []
      for (const sent of [key, typo]) {
        const response = await post(service, REQUEST, { headers: { authorization: `Bearer ${sent}` } })
        answers.push((await expectFailure(response, 'UNAUTHORIZED')).error)
      }
      expect(answers[0]).toEqual(answers[1])
      expect(lines.flatMap(({ reason }) => reason ?? [])).toEqual([
        'the key is unknown',
        'the key has a typo: its checksum is wrong',
      ])
      expect(JSON.stringify(lines)).not.toContain(key.slice(12))
    })

    test('reports a failing verifier without the reason', async () => {
      const keys = { verify: () => Promise.reject(new Error('secret host')) }
      const response = await post(await start({ keys }), REQUEST)
      expect((await expectFailure(response, 'GENERATION_FAILED')).error.message).not.toContain('secret')
    })
  })

  describe('7 errors', () => {
    test.each(ERROR_CODES)('%s of the engine has its status', async (code: ErrorCode) => {
      const service = await start({ engine: failing(new StagecraftError(code, 'as it is')) })
      await expectFailure(await post(service, REQUEST), code)
    })

    test('have the statuses of the contract', () => {
      expect(STATUS_CODES).toEqual({
        UNAUTHORIZED: 401,
        FORBIDDEN: 403,
        NOT_FOUND: 404,
        RATE_LIMITED: 429,
        INVALID_REQUEST: 400,
        INVALID_SOURCE: 400,
        GENERATION_FAILED: 500,
        CONNECTION_FAILED: 502,
      })
    })

    test('of a missing source suggest another one', async () => {
      const response = await post(await start(), { ...REQUEST, source: 'raw.stripe.paymets' })
      const { error } = await expectFailure(response, 'INVALID_SOURCE')
      expect(error.details).toEqual({ suggestion: 'did you mean payments?' })
    })

    test('of a source always have a suggestion', async () => {
      const service = await start({ engine: failing(new StagecraftError('INVALID_SOURCE', 'no columns')) })
      const { error } = await expectFailure(await post(service, REQUEST), 'INVALID_SOURCE')
      expect(error.details).toEqual({ suggestion: 'check that the source exists and is accessible' })
    })

    test('of an unreadable name are faults', async () => {
      const response = await post(await start(), { ...REQUEST, source: 'raw..payments' })
      expectFaults(await expectFailure(response, 'INVALID_REQUEST'), 'source')
    })

    test('of a connection give the reason, but not the address', async () => {
      const error = new StagecraftError(
        'CONNECTION_FAILED',
        'cannot read PostgreSQL at db.internal:5432: refused',
        {
          details: { host: 'db.internal', port: 5432, reason: 'connection refused' },
        },
      )
      const lines: object[] = []
      const envelope = await expectFailure(
        await post(await start({ engine: failing(error), lines }), REQUEST),
        'CONNECTION_FAILED',
      )
      expect(envelope.error).toEqual({
        code: 'CONNECTION_FAILED',
        message: 'the warehouse cannot be read: connection refused',
        details: { reason: 'connection refused' },
      })
      expect(JSON.stringify(lines)).toContain('db.internal')
    })

    test.each([
      ['git', 'Git failed: host not found'],
      ['store', 'the store of the service cannot be used now: host not found'],
    ])('of %s are not blamed on the warehouse', async (part, message) => {
      const details = { part, reason: 'host not found' }
      const error = new StagecraftError('CONNECTION_FAILED', 'git.internal: host not found', { details })
      const response = await post(await start({ engine: failing(error), lines: [] }), REQUEST)
      const envelope = await expectFailure(response, 'CONNECTION_FAILED')
      expect(envelope.error).toMatchObject({ message, details: { reason: 'host not found' } })
    })

    test.each([
      ['an error', () => Promise.reject(new Error('password=hunter2'))],
      ['a text', () => Promise.reject('hunter2')],
      ['nothing', () => Promise.reject(undefined)],
      [
        'an error at once',
        () => {
          throw new TypeError('hunter2')
        },
      ],
      ['no answer', () => Promise.resolve(undefined as never)],
      ['an answer that is no JSON', () => Promise.resolve({ data: { code: 1n }, meta: {} } as never)],
    ])('of an engine that throws %s are logged, and answered without internals', async (_what, generate) => {
      const lines: { readonly requestId?: string; readonly message?: string }[] = []
      const response = await post(await start({ engine: { generate }, lines }), REQUEST)
      const envelope = await expectFailure(response, 'GENERATION_FAILED')
      expect(JSON.stringify(envelope)).not.toContain('hunter2')
      expect(lines.find(({ message }) => message === 'unexpected error')?.requestId).toBe(
        envelope.meta.requestId,
      )
    })

    test('with details that are not JSON are answered without them', async () => {
      const error = new StagecraftError('GENERATION_FAILED', 'why', { details: { tokens: 1n } })
      const { error: answered } = await expectFailure(
        await post(await start({ engine: failing(error) }), REQUEST),
        'GENERATION_FAILED',
      )
      expect(answered).toEqual({ code: 'GENERATION_FAILED', message: 'why' })
    })

    test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
      '%s is not found, but POST is',
      async (method) => {
        const { url } = await start()
        const response = await fetch(`${url}/generate`, { method })
        expect(response.headers.get('allow')).toBe('POST')
        await expectFailure(response, 'NOT_FOUND')
      },
    )

    test.each([
      '/',
      '/generate/',
      '//generate',
      '/Generate',
      '/v1/generate',
      '/%zz',
      '/generate%00',
      '/..%2fgenerate',
    ])('the path %s is not found, whatever is sent', async (path) => {
      const { url } = await start()
      await expectFailure(await fetch(`${url}${path}`), 'NOT_FOUND')
      const headers = { 'content-type': 'application/json' }
      await expectFailure(await fetch(`${url}${path}`, { method: 'POST', body: '{', headers }), 'NOT_FOUND')
    })

    test('of one request do not affect the next one', async () => {
      const service = await start()
      for (let round = 0; round < 5; round++) {
        await expectFailure(await post(service, Buffer.from('{')), 'INVALID_REQUEST')
        await expectFailure(await post(service, REQUEST, { headers: { authorization: 'x' } }), 'UNAUTHORIZED')
        await expectSuccess(await post(service, REQUEST))
      }
    })
  })

  describe('limits', () => {
    test('of rate have no headers unless a limit is set', async () => {
      const response = await post(await start(), REQUEST)
      expect(response.headers.get('ratelimit')).toBeNull()
      await expectSuccess(response)
    })

    test('of rate are announced, enforced and reset', async () => {
      let now = 0
      const rate = memoryRateLimiter({ requests: 2, seconds: 10, clock: { now: () => now } })
      const service = await start({ limits: { rate } })
      const first = await post(service, REQUEST)
      expect(first.headers.get('ratelimit-policy')).toBe('"default";q=2;w=10')
      expect(first.headers.get('ratelimit')).toBe('"default";r=1;t=5')
      await expectFailure(await post(service, Buffer.from('{')), 'INVALID_REQUEST')
      const limited = await post(service, REQUEST)
      expect(limited.headers.get('ratelimit')).toBe('"default";r=0;t=10')
      expect(limited.headers.get('retry-after')).toBe('5')
      await expectFailure(limited, 'RATE_LIMITED')
      now = 5000
      await expectSuccess(await post(service, REQUEST))
    })

    test('of rate do not count requests without a key', async () => {
      const rate = memoryRateLimiter({ requests: 1, seconds: 10 })
      const service = await start({ limits: { rate } })
      for (let round = 0; round < 3; round++) {
        await expectFailure(await post(service, REQUEST, { headers: { authorization: 'x' } }), 'UNAUTHORIZED')
      }
      await expectSuccess(await post(service, REQUEST))
    })

    test('of time end a run that ignores the signal', async () => {
      const signals: (AbortSignal | undefined)[] = []
      const engine = hanging((signal) => signals.push(signal))
      const service = await start({ engine, limits: { deadlineMs: 50 } })
      const { error } = await expectFailure(await post(service, REQUEST), 'GENERATION_FAILED')
      expect(error.details).toEqual({ reason: 'not done within 0.05 s' })
      expect(signals[0]?.aborted).toBe(true)
    })

    test('a client that disconnects aborts the run', async () => {
      const started = Promise.withResolvers<AbortSignal>()
      const engine = hanging((signal) => signal && started.resolve(signal))
      const service = await start({ engine, limits: { deadlineMs: 20_000 } })
      const leave = new AbortController()
      const request = post(service, REQUEST, { signal: leave.signal }).catch(() => 'gone')
      const signal = await started.promise
      leave.abort()
      await expect(request).resolves.toBe('gone')
      await expect.poll(() => signal.aborted).toBe(true)
    })
  })

  test('50 concurrent requests each get their own answer', async () => {
    const service = await start()
    const envelopes = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const isGood = index % 2 === 0
        const response = await post(
          service,
          isGood ? REQUEST : { ...REQUEST, source: `raw.stripe.t${index}` },
        )
        const envelope = isGood
          ? await expectSuccess(response)
          : await expectFailure(response, 'INVALID_SOURCE')
        if (!envelope.success) expect(envelope.error.message).toContain(`t${index}`)
        return envelope.meta.requestId
      }),
    )
    expect(new Set(envelopes).size).toBe(50)
  })

  test('logs neither keys nor bodies', async () => {
    const lines: object[] = []
    const service = await start({ lines, engine: failing(new StagecraftError('GENERATION_FAILED', 'why')) })
    await post(service, { ...REQUEST, source: 'raw.stripe.confidential' })
    await post(service, Buffer.from('{"source": confidential'))
    await post(service, REQUEST, { headers: { authorization: 'Bearer confidential' } })
    expect(lines.length).toBeGreaterThan(1)
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`confidential|${KEY}|Bearer`))
  })

  test('any body is answered with one of the two envelopes', async () => {
    const service = await start()
    const almost = fc.record(
      {
        type: fc.oneof(fc.constant('staging'), fc.constantFrom('base', 'snapshot'), fc.jsonValue()),
        source: fc.oneof(fc.constant(REQUEST.source), fc.string(), fc.jsonValue()),
        options: fc.oneof(
          fc.record({ addTests: fc.boolean(), addDocs: fc.boolean() }, { requiredKeys: [] }),
          fc.dictionary(
            fc.constantFrom('addTests', 'casts', 'freshness', 'loader', '__proto__', 'x'),
            fc.jsonValue(),
          ),
        ),
      },
      { requiredKeys: [] },
    )
    const bodies = fc.oneof(
      almost.map((value) => Buffer.from(JSON.stringify(value))),
      fc.json().map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    )
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const response = await post(service, body)
        const value: unknown = await response.json()
        if (response.status === 200) {
          expect(successEnvelopeSchema.safeParse(value).success).toBe(true)
        } else {
          const { error } = errorEnvelopeSchema.parse(value)
          expect(response.status).toBe(400)
          expect(STATUS_CODES[error.code]).toBe(400)
        }
      }),
      { numRuns: 300 },
    )
  })
})

test('a static key may be configured by its hash', async () => {
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from('abc'))).toString('hex')
  const keys = staticKeys([{ name: 'hashed', hash, scopes: ['generate'] }])
  expect(await keys.verify('abc')).toEqual({ id: 'hashed', scopes: ['generate'] })
  expect(await keys.verify('abd')).toBeUndefined()
  expect(() => staticKeys([{ name: 'hashed', hash: 'abc' }])).toThrow('64 hexadecimal digits')
})
