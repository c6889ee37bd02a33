import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { untilFree, writeLock } from './write-lock.ts'

test('lets writers through one at a time, in their order', async () => {
  const lock = writeLock(1000)
  const order: number[] = []
  let inside = 0
  const write = async (number: number): Promise<void> => {
    const release = await lock.acquire()
    inside += 1
    expect(inside).toBe(1)
    await Promise.resolve()
    order.push(number)
    inside -= 1
    release()
  }
  await Promise.all([1, 2, 3, 4].map(write))
  expect(order).toEqual([1, 2, 3, 4])
})

test('gives up a turn that does not come, and the next one comes all the same', async () => {
  const lock = writeLock(20)
  const release = await lock.acquire()
  await expect(lock.acquire()).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
  const next = lock.acquire()
  release()
  const releaseNext = await next
  releaseNext()
  await expect(lock.acquire()).resolves.toBeTypeOf('function')
})

test('gives up a file that stays locked, and passes on other errors at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-waiting-'))
  const [one, other] = [0, 1].map(() => new DatabaseSync(join(folder, 'a.db'))) as [
    DatabaseSync,
    DatabaseSync,
  ]
  try {
    one.exec('pragma journal_mode = wal; begin immediate')
    let attempts = 0
    const begin = () => {
      attempts += 1
      other.exec('begin immediate')
    }
    await expect(untilFree(begin, 500)).rejects.toThrow('locked')
    expect(attempts).toBeGreaterThan(2)
    attempts = 0
    const fail = () => {
      attempts += 1
      other.exec('nonsense')
    }
    await expect(untilFree(fail, 60)).rejects.toThrow('nonsense')
    expect(attempts).toBe(1)
  } finally {
    one.close()
    other.close()
    rmSync(folder, { recursive: true })
  }
})
