// LLM10: whatever a model or its provider does, a run ends, and what it costs is bounded and known.
import { createEngine } from '@stagecraft/core'
import { scripted, type ScriptedFunction, withBreaker } from '@stagecraft/llm'
import { type Backend, BackendError, type CatalogTable, type LlmSettings } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import {
  about,
  answer,
  AT,
  catalogOf,
  errorOf,
  expectRefused,
  ORDERS,
  run,
  stubborn,
  tableSent,
} from './edit-runs.ts'

const usage = { input: 1000, cacheRead: 5, cacheWrite: 7, output: 100, reasoning: 11 }

function wide(count: number, name = 'wh7_wide'): CatalogTable {
  const columns = Array.from({ length: count }, (_, index) => ({ name: `wh7_${index + 1}`, type: 'text' }))
  return { schema: 'shop', name, columns }
}

const many = Array.from({ length: 50 }, (_, index) => wide(1, `wh7_t${index}`))

function projectOf(backend: Backend, settings: LlmSettings, signal?: AbortSignal) {
  const engine = createEngine({ llm: { ...settings, backend }, catalog: catalogOf(many) })
  return engine.generateProject({ type: 'staging', sources: [] }, signal ? { signal } : {})
}

test.each([
  ['10,000 edits', answer(Array.from({ length: 10_000 }, (_, index) => about(index + 100, { name: 'md7' })))],
  [
    '10,000 edits of one column',
    answer(Array.from({ length: 10_000 }, () => about(AT.note, { name: 'md7' }))),
  ],
  [
    '10,000 tests of one column',
    answer([
      about(AT.note, {
        tests: Array.from({ length: 10_000 }, () => ({
          name: 'not_null' as const,
          values: null,
          table: null,
          column: null,
        })),
      }),
    ]),
  ],
  ['10,000 wrong shapes', answer(Array.from({ length: 10_000 }, () => ({ md7: 1 })))],
  ['5 MB of text', 'md7 '.repeat(1_250_000)],
  ['5 MB of JSON', answer([], 'md7 '.repeat(1_250_000))],
])('%s are refused in short', async (_, text) => {
  await expectRefused(text)
  const backend = stubborn(text)
  const error = await errorOf(run({ backend }))
  const violations = error.details?.['violations'] as readonly unknown[]
  expect(violations.length).toBeLessThanOrEqual(100)
  const [, , repair] = backend.requests[1]?.turns ?? []
  expect(JSON.stringify(repair).length).toBeLessThan(20_000)
})

test('a table of 1,000 columns is asked about in parts, each column once, at most twice each', async () => {
  const backend = scripted((_, attempt) => (attempt % 2 === 1 ? 'md7' : answer()))
  const { meta } = await run({ backend, tables: [wide(1000)], settings: { columnsPerCall: 100 } })
  const parts = backend.requests.map(
    (request) => tableSent(request)['columns'] as readonly (readonly [number])[],
  )
  expect(parts.map((part) => part.length)).toEqual(Array.from({ length: 20 }, () => 100))
  expect(
    parts.filter((_, index) => index % 2 === 0).flatMap((part) => part.map(([ordinal]) => ordinal)),
  ).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1))
  expect(meta.usage?.attempts).toBe(20)
})

test('names of one part are held against those of the parts before', async () => {
  const text = (ordinal: number) => answer([about(ordinal, { name: 'wh7' })])
  const backend = scripted([text(1), text(2), text(2)])
  const error = await errorOf(run({ backend, tables: [wide(2)], settings: { columnsPerCall: 1 } }))
  expect(error.details).toMatchObject({ attempts: 3, violations: [{ code: 'NAME_TAKEN', ordinal: 2 }] })
})

test('an answer that was cut off gets twice the room, once, and never more than there is', async () => {
  const backend = stubborn({ stop: 'truncated', text: '{"description":' })
  const error = await errorOf(run({ backend, settings: { maxOutputTokens: 1000 } }))
  expect(backend.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([1000, 2000])
  expect(error.details).toMatchObject({ kind: 'truncated', attempts: 2 })
  const largest = stubborn({ stop: 'truncated' })
  await errorOf(run({ backend: largest, settings: { maxOutputTokens: 100_000 } }))
  expect(largest.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([100_000, 128_000])
})

test.each(['refused', 'filtered'] as const)('an answer that is %s is final', async (stop) => {
  const backend = stubborn({ stop, text: 'md7' })
  const error = await errorOf(run({ backend }))
  expect(error.details).toMatchObject({ kind: stop, attempts: 1, violations: [] })
})

test.each(['rate_limited', 'overloaded', 'timeout', 'network', 'bad_request'] as const)(
  'a call that ends in %s is not made again by the engine',
  async (kind) => {
    const backend = stubborn(new BackendError(kind, 'md7'))
    const error = await errorOf(run({ backend }))
    expect(error.details).toMatchObject({ kind, attempts: 1 })
  },
)

test('the deadline is that of the whole table', async () => {
  let now = 0
  const backend = scripted((_, attempt) => {
    now += 4000
    return attempt === 2 ? 'md7' : answer()
  })
  const settings = { deadlineSeconds: 10, columnsPerCall: 1 }
  const error = await errorOf(run({ backend, tables: [wide(9)], settings, clock: { now: () => now } }))
  expect(backend.requests.map(({ timeoutMs }) => timeoutMs)).toEqual([10_000, 6000, 2000])
  expect(error.details).toMatchObject({ kind: 'deadline', attempts: 3 })
})

test('no call begins when a table has cost what it may', async () => {
  const backend = scripted(() => ({ text: answer(), usage }))
  const settings = { maxTokens: 2000, columnsPerCall: 1 }
  const error = await errorOf(run({ backend, tables: [wide(9)], settings }))
  expect(backend.requests).toHaveLength(2)
  expect(error.details).toMatchObject({ kind: 'token_limit', attempts: 2, tokensUsed: 2200 })
  const unrepaired = scripted(() => ({ text: 'md7', usage }))
  const wrong = await errorOf(run({ backend: unrepaired, settings: { maxTokens: 1000 } }))
  expect(wrong.details).toMatchObject({ kind: 'invalid_plan', attempts: 1, tokensUsed: 1100 })
})

test('usage is the sum over parts, repairs and failures, and says where something is not known', async () => {
  const backend = scripted([
    { text: 'md7', usage },
    { text: answer(), usage },
    { text: answer(), usage: undefined },
    new BackendError('malformed', 'md7'),
    { text: 'md7', usage },
  ])
  const settings = { columnsPerCall: 1, onFailure: 'fallback' } as const
  const { meta } = await run({ backend, tables: [wide(3)], settings })
  expect(meta.usage).toEqual({
    input: 3000,
    cacheRead: 15,
    cacheWrite: 21,
    output: 300,
    reasoning: 33,
    attempts: 5,
    incomplete: true,
  })
  expect(meta.tokensUsed).toBe(3300)
  const known = await run({ backend: stubborn({ text: answer(), usage }) })
  expect(known.meta.usage).toEqual({ ...usage, attempts: 1, incomplete: false })
})

test.each(['auth', 'quota', 'model_not_found'] as const)(
  'a run meets %s no more often than it asks at once',
  async (kind) => {
    const backend = stubborn(new BackendError(kind, 'md7'))
    const { models, usage } = await projectOf(withBreaker(backend), { onFailure: 'fallback' })
    expect(backend.requests.length).toBeLessThanOrEqual(4)
    expect(usage?.attempts).toBe(backend.requests.length)
    expect(
      models.map(({ warnings }) => warnings.filter(({ code }) => code === 'BACKEND_FAILED').length),
    ).toEqual(Array.from({ length: 50 }, () => 1))
  },
)

test('a passing failure is met by each table alone', async () => {
  const script: ScriptedFunction = (_, attempt) =>
    attempt === 1 ? new BackendError('overloaded', 'md7') : answer()
  const { models } = await projectOf(scripted(script), { onFailure: 'fallback' })
  expect(models.flatMap(({ warnings }) => warnings.map(({ code }) => code))).toEqual(['BACKEND_FAILED'])
})

test('at most four calls are in flight', async () => {
  let flying = 0
  let most = 0
  const backend = scripted(async () => {
    most = Math.max(most, (flying += 1))
    await new Promise((resolve) => setTimeout(resolve, 1))
    flying -= 1
    return answer()
  })
  await projectOf(backend, {})
  expect(most).toBe(4)
})

/** Calls that end when they are told to, in the way of a backend that does or does not heed its signal. */
function pending(end: (reason: unknown) => Promise<never>) {
  const started: AbortSignal[] = []
  const backend: Backend = {
    id: 'pending',
    complete: ({ signal }) => {
      if (signal) started.push(signal)
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => end(signal.reason).catch(reject))
      })
    },
  }
  return { backend, started }
}

test.each([
  ['throws the reason', (reason: unknown) => Promise.reject(reason)],
  ['calls it a failure', () => Promise.reject(new BackendError('network', 'socket closed'))],
])('a run that is stopped stops its calls and begins no other, where a backend %s', async (_, end) => {
  for (const onFailure of ['error', 'fallback'] as const) {
    const { backend, started } = pending(end)
    const stop = new AbortController()
    const reason = new Error('enough')
    const promise = projectOf(backend, { onFailure }, stop.signal)
    await expect.poll(() => started, { interval: 1 }).toHaveLength(4)
    stop.abort(reason)
    await expect(promise).rejects.toBe(reason)
    expect(started.length).toBe(4)
    expect(started.every(({ aborted }) => aborted)).toBe(true)
  }
})

test('an answer that comes after the stop is not repaired', async () => {
  const stop = new AbortController()
  const reason = new Error('enough')
  let calls = 0
  const deaf: Backend = {
    id: 'deaf',
    complete: (request) => {
      calls += 1
      stop.abort(reason)
      const { signal: _, ...unheeded } = request
      return stubborn('md7').complete(unheeded)
    },
  }
  const engine = createEngine({
    llm: { backend: deaf, onFailure: 'fallback' },
    catalog: catalogOf([ORDERS]),
  })
  const request = { type: 'staging', source: 'shop.wh7_orders' } as const
  await expect(engine.generate(request, { signal: stop.signal })).rejects.toBe(reason)
  expect(calls).toBe(1)
})

test('one table that fails stops the others', async () => {
  const { backend: never, started } = pending((reason) => Promise.reject(reason))
  const backend: Backend = {
    id: 'mixed',
    complete: (request) =>
      started.length === 3 ? Promise.reject(new BackendError('overloaded', 'md7')) : never.complete(request),
  }
  const error = await errorOf(projectOf(backend, {}))
  expect(error.details).toMatchObject({ kind: 'overloaded' })
  expect(started.map(({ aborted }) => aborted)).toEqual([true, true, true])
})

test.each([
  { columnsPerCall: 0 },
  { columnsPerCall: Number.NaN },
  { columnsPerCall: 1e9 },
  { maxTokens: Number.NaN },
  { maxOutputTokens: -1 },
  { deadlineSeconds: Infinity },
  { examples: -1 },
])('limits that are none are refused before anything is asked: %j', async (settings) => {
  const backend = stubborn(answer())
  const error = await errorOf(run({ backend, settings }))
  expect(error.code).toBe('INVALID_REQUEST')
  expect(backend.requests).toEqual([])
})
