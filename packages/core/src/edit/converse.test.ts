import { type BackendAnswer, BackendError, type BackendRequest } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { type Budget, converse, type Reader } from './converse.ts'
import { decideLlm } from './settings.ts'
import { NO_USAGE } from './usage.ts'

const usage = { input: 10, cacheRead: 0, cacheWrite: 0, output: 1, reasoning: 0 }
const prompt = { system: 's', turns: [{ role: 'user', text: 'q' }] } as const

type Step = Partial<BackendAnswer> | Error

/** A backend of a few steps; core may not know the one of the package for models. */
function budgetOf(steps: readonly Step[], over: Partial<Budget> = {}) {
  const requests: BackendRequest[] = []
  const complete = (request: BackendRequest): Promise<BackendAnswer> => {
    const step = steps[requests.push(request) - 1] ?? new Error('no step left')
    if (step instanceof Error) return Promise.reject(step)
    const turn = { role: 'assistant', opaque: step.text } as const
    const whole = { stop: 'end', rawStop: 'end', text: '', toolCalls: [], turn, usage, model: 'm' } as const
    return Promise.resolve({ ...whole, ...step })
  }
  const budget: Budget = {
    clock: { now: () => 0 },
    llm: { ...decideLlm({ maxTokens: 1000, maxOutputTokens: 500 }), backend: { id: 'steps', complete } },
    deadline: 1000,
    spent: NO_USAGE,
    signal: undefined,
    ...over,
  }
  return { budget, requests }
}

const read: Reader<string> = (text) =>
  text === 'good'
    ? { value: text, violations: [], isWorthAsking: false }
    : { violations: [{ code: 'NOT_JSON', expected: 'good' }] }

test('returns the value of a good answer', async () => {
  const { budget, requests } = budgetOf([{ text: 'good' }])
  expect(await converse(prompt, read, budget)).toMatchObject({ value: 'good', usage: { attempts: 1 } })
  expect(requests).toEqual([{ ...prompt, maxOutputTokens: 500, timeoutMs: 1000 }])
})

test('sends a wrong answer back with its faults, once', async () => {
  const { budget, requests } = budgetOf([{ text: 'bad' }, { text: 'good' }])
  expect(await converse(prompt, read, budget)).toMatchObject({
    value: 'good',
    usage: { input: 20, attempts: 2 },
  })
  expect(requests[1]?.turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  const again = budgetOf([{ text: 'bad' }, { text: 'bad' }])
  expect(await converse(prompt, read, again.budget)).toMatchObject({ failure: { kind: 'invalid_plan' } })
})

test('allows more tokens after a truncated answer, and asks again after a garbled one', async () => {
  const long = budgetOf([{ stop: 'truncated', text: 'good' }, { text: 'good' }])
  expect(await converse(prompt, read, long.budget)).toHaveProperty('value')
  expect(long.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([500, 1000])
  const garbled = budgetOf([new BackendError('malformed', 'm'), { text: 'good' }])
  expect(await converse(prompt, read, garbled.budget)).toMatchObject({
    value: 'good',
    usage: { input: 10, attempts: 2, incomplete: true },
  })
})

test.each<readonly [string, Step]>([
  ['refused', { stop: 'refused' }],
  ['filtered', { stop: 'filtered' }],
  ['auth', new BackendError('auth', 'm')],
])('treats %s as final', async (kind, step) => {
  const { budget, requests } = budgetOf([step, { text: 'good' }])
  expect(await converse(prompt, read, budget)).toMatchObject({ failure: { kind } })
  expect(requests).toHaveLength(1)
})

test('does not ask beyond its budget, and then reports the earlier failure', async () => {
  const late = budgetOf([], { deadline: 0 })
  expect(await converse(prompt, read, late.budget)).toMatchObject({
    failure: { kind: 'deadline' },
    usage: NO_USAGE,
  })
  const dear = budgetOf([{ text: 'bad', usage: { ...usage, input: 999 } }])
  expect(await converse(prompt, read, dear.budget)).toMatchObject({ failure: { kind: 'invalid_plan' } })
  const spent = budgetOf([], { spent: { ...NO_USAGE, output: 1000 } })
  expect(await converse(prompt, read, spent.budget)).toMatchObject({ failure: { kind: 'token_limit' } })
})

test("throws the signal's reason however the call ended, and any error that is not a failed call", async () => {
  const reason = new Error('enough')
  const stopped = budgetOf([], { signal: AbortSignal.abort(reason) })
  await expect(converse(prompt, read, stopped.budget)).rejects.toBe(reason)
  expect(stopped.requests).toEqual([])
  const stop = new AbortController()
  const { budget } = budgetOf([new BackendError('network', 'm')], { signal: stop.signal })
  const promise = converse(prompt, read, budget)
  stop.abort(reason)
  await expect(promise).rejects.toBe(reason)
  const bug = new TypeError('a bug')
  await expect(converse(prompt, read, budgetOf([bug]).budget)).rejects.toBe(bug)
})
