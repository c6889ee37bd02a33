import { StagecraftError } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import type { SentDelivery } from '../send-claimed.ts'
import { createOutcomeWriter, type OutcomeWriter } from './write-outcomes.ts'

const OUTAGE = new StagecraftError('CONNECTION_FAILED', 'nothing answers')

function sent(id: string): SentDelivery {
  return { delivery: { id } } as SentDelivery
}

interface World {
  readonly writer: OutcomeWriter
  readonly batches: (readonly string[])[]
  readonly log: string[]
}

/** @param fault what writing a batch fails with, if with anything */
function world(fault: (ids: readonly string[], call: number) => Error | undefined): World {
  const batches: (readonly string[])[] = []
  const log: string[] = []
  const line = (level: string) => (_: object, message: string) => void log.push(`${level}: ${message}`)
  const writer = createOutcomeWriter({
    logger: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    lingerMs: 5,
    size: 3,
    async write(batch) {
      const ids = batch.map(({ delivery }) => delivery.id)
      batches.push(ids)
      const error = fault(ids, batches.length)
      if (error !== undefined) throw error
    },
  })
  return { writer, batches, log }
}

test('writes what ends at about the same time at once, up to a limit', async () => {
  const { batches, writer } = world(() => undefined)
  await Promise.all(['a', 'b', 'c', 'd'].map((id) => writer.add(sent(id))))
  await writer.add(sent('e'))
  expect(batches).toEqual([['a', 'b', 'c'], ['d'], ['e']])
})

test('tries again as long as the store does not respond, and says so', async () => {
  const { batches, log, writer } = world((_, call) => (call < 3 ? OUTAGE : undefined))
  await Promise.all([writer.add(sent('a')), writer.add(sent('b'))])
  expect(batches).toEqual([
    ['a', 'b'],
    ['a', 'b'],
    ['a', 'b'],
  ])
  expect(log).toEqual(['warn: the store does not respond: could not write the outcomes of deliveries'])
})

test('keeps one that cannot be written from keeping others', async () => {
  const { batches, log, writer } = world((ids) => (ids.includes('b') ? new Error('bad row') : undefined))
  await Promise.all(['a', 'b', 'c'].map((id) => writer.add(sent(id))))
  expect(batches).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']])
  expect(log).toEqual(['error: could not write the outcomes of deliveries'])
})

test('waits for nothing any more when it is given up', async () => {
  const { batches, writer } = world(() => OUTAGE)
  const waiting = writer.add(sent('a'))
  setTimeout(() => writer.giveUp(), 30)
  await waiting
  expect(batches.length).toBeGreaterThan(0)
})
