import { setTimeout as wait } from 'node:timers/promises'
import { StagecraftError } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { runInWorker, type WorkerLimits } from './run-in-worker.ts'
import type { Misbehaviour } from './testing/misbehaving-worker.ts'

const MODULE = new URL('testing/misbehaving-worker.ts', import.meta.url)
const LIMITS: WorkerLimits = { timeMs: 60_000, memoryMb: 256 }

const run = (
  task: Misbehaviour,
  limits: Partial<WorkerLimits> = {},
  signal = new AbortController().signal,
): Promise<unknown> => runInWorker(MODULE, task, { limits: { ...LIMITS, ...limits }, signal })

test('answers with the result of the thread, which sees none of the environment', async () => {
  expect(await run('answer')).toBe(42)
  expect(await run('show environment')).toEqual({})
})

test('ends a thread that hangs with one clear error, and does other work meanwhile', async () => {
  let turns = 0
  const hanging = run('hang', { timeMs: 1500 }).catch((error: unknown) => error)
  for (; turns < 10; turns += 1) await wait(10)
  expect(turns).toBe(10)
  expect(await hanging).toMatchObject({
    code: 'GENERATION_FAILED',
    message: 'it took longer than 1.5 seconds and was stopped',
    details: { reason: 'too_long' },
  })
})

test('ends a thread that wants too much memory with one clear error', async () => {
  await expect(run('fill memory', { memoryMb: 32 })).rejects.toMatchObject({
    code: 'GENERATION_FAILED',
    message: 'it needed more than 32 MB of memory and was stopped',
    details: { reason: 'too_large' },
  })
})

test('passes on errors of ours, and those that are not', async () => {
  const refused: unknown = await run('refuse').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(StagecraftError)
  expect(refused).toMatchObject({
    code: 'INVALID_REQUEST',
    message: 'no such file',
    details: { reason: 'none' },
  })
  await expect(run('throw')).rejects.toThrow(/^a bug$/)
  await expect(run('leave')).rejects.toThrow(/without a reply/)
})

test('ends the thread when it is told to', async () => {
  const stop = new AbortController()
  const hanging = run('hang', {}, stop.signal)
  stop.abort(new Error('cancelled'))
  await expect(hanging).rejects.toThrow('cancelled')
  await expect(run('answer', {}, stop.signal)).rejects.toThrow('cancelled')
})
