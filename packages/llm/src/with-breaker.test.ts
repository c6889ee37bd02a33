import { type Backend, BackendError, type BackendFailure } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { scripted, type ScriptedAnswer } from './scripted.ts'
import { REQUEST } from './testing/run.ts'
import { withBreaker } from './with-breaker.ts'

function setup(script: (attempt: number) => ScriptedAnswer) {
  const time = { now: 0 }
  const inner = scripted((_, attempt) => script(attempt))
  const backend = withBreaker(inner, { pauseMs: 1000, now: () => time.now })
  const ask = async () => {
    const error = await backend.complete(REQUEST).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error === undefined) return 'answered'
    expect(error).toBeInstanceOf(BackendError)
    return error instanceof BackendError && error.isSent ? 'failed' : 'not sent'
  }
  return { ask, backend, inner, time }
}

async function times(count: number, ask: () => Promise<string>): Promise<readonly string[]> {
  const results: string[] = []
  for (let done = 0; done < count; done++) results.push(await ask())
  return results
}

test.each<[BackendFailure, number]>([
  ['auth', 1],
  ['quota', 1],
  ['model_not_found', 1],
  ['network', 3],
  ['timeout', 3],
  ['overloaded', 3],
  ['provider_error', 3],
  ['rate_limited', 3],
])('stops asking after %s, %i times in a row', async (kind, limit) => {
  const { ask, backend, inner } = setup(
    () => new BackendError(kind, 'no', { detail: 'ECONNREFUSED at a:1', status: 500 }),
  )
  expect(await times(500, ask)).toEqual([
    ...Array.from({ length: limit }, () => 'failed'),
    ...Array.from({ length: 500 - limit }, () => 'not sent'),
  ])
  expect(inner.requests).toHaveLength(limit)
  await expect(backend.complete(REQUEST)).rejects.toMatchObject({
    kind,
    message: 'no',
    detail: 'ECONNREFUSED at a:1',
    status: 500,
    isSent: false,
  })
})

test.each<BackendFailure>(['bad_request', 'too_large', 'malformed'])(
  'continues after %s, which does not concern other calls',
  async (kind) => {
    const { ask } = setup((attempt) => new BackendError(attempt % 3 === 0 ? kind : 'network', 'no'))
    expect(new Set(await times(30, ask))).toEqual(new Set(['failed']))
  },
)

test('starts counting again after an answer', async () => {
  const { ask } = setup((attempt) => (attempt % 3 === 0 ? 'yes' : new BackendError('timeout', 'no')))
  expect(await times(6, ask)).toEqual(['failed', 'failed', 'answered', 'failed', 'failed', 'answered'])
})

test('tries one call after a pause, and allows all after its answer', async () => {
  const { ask, time } = setup((attempt) => (attempt <= 4 ? new BackendError('network', 'no') : 'yes'))
  await times(3, ask)
  time.now = 999
  expect(await ask()).toBe('not sent')
  time.now = 1000
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(['failed', 'not sent', 'not sent'])
  time.now = 1999
  expect(await ask()).toBe('not sent')
  time.now = 2000
  expect(await Promise.all([ask(), ask()])).toEqual(['answered', 'not sent'])
  expect(await Promise.all([ask(), ask()])).toEqual(['answered', 'answered'])
})

test('waits as long as the provider asks', async () => {
  const { ask, time } = setup((attempt) =>
    attempt <= 3 ? new BackendError('rate_limited', 'no', { retryAfterMs: 5000 }) : 'yes',
  )
  await times(3, ask)
  time.now = 4999
  expect(await ask()).toBe('not sent')
  time.now = 5000
  expect(await ask()).toBe('answered')
})

test('a stopped trial allows the next one', async () => {
  const reason = new Error('stopped')
  const controller = new AbortController()
  const { ask, backend, time } = setup((attempt) => {
    if (attempt === 4) controller.abort(reason)
    return attempt <= 3 ? new BackendError('network', 'no') : 'yes'
  })
  await times(3, ask)
  time.now = 1000
  await expect(backend.complete({ ...REQUEST, signal: controller.signal })).rejects.toBe(reason)
  expect(await ask()).toBe('answered')
})

test('calls that wait for a silent provider end with the third failure', async () => {
  const fail: ((error: BackendError) => void)[] = []
  const silent: Backend = {
    id: 'silent',
    complete: ({ signal }) =>
      new Promise((_, reject) => {
        fail.push(reject)
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      }),
  }
  const backend = withBreaker(silent)
  const calls = Array.from({ length: 5 }, () => backend.complete(REQUEST).catch((error: unknown) => error))
  const late = new BackendError('timeout', 'no answer')
  for (const reject of fail.slice(0, 2)) reject(late)
  expect(await Promise.all(calls.slice(0, 2))).toEqual([late, late])
  fail[2]?.(new BackendError('timeout', 'the third'))
  const others = await Promise.all(calls.slice(2))
  expect(others.map((error) => error instanceof BackendError && error.message)).toEqual(
    Array.from({ length: 3 }, () => 'the third'),
  )
  await expect(backend.complete(REQUEST)).rejects.toMatchObject({ isSent: false })
  expect(fail).toHaveLength(5)
})

test('one call that found the host silent ends all waiting calls, and no other is made', async () => {
  const fail: ((error: BackendError) => void)[] = []
  const silent: Backend = {
    id: 'silent',
    complete: ({ signal }) =>
      new Promise((_, reject) => {
        fail.push(reject)
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      }),
  }
  const backend = withBreaker(silent)
  const calls = Array.from({ length: 4 }, () => backend.complete(REQUEST).catch((error: unknown) => error))
  const found = new BackendError('network', 'no answer', { isProven: true, detail: 'no answer from a:1' })
  fail[3]?.(found)
  expect(await Promise.all(calls)).toEqual([found, found, found, found])
  await expect(backend.complete(REQUEST)).rejects.toMatchObject({
    kind: 'network',
    detail: 'no answer from a:1',
    isSent: false,
  })
  expect(fail).toHaveLength(4)
})
