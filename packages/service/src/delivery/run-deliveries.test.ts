import { setTimeout as pause } from 'node:timers/promises'
import { verify } from '@stagecraft/webhooks/verify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { httpReceiver } from '../../../webhooks/src/testing/receivers.ts'
import { describeEachStore } from '../../../../test/service/each-store.ts'
import {
  addWebhook,
  countStates,
  deliveryWorld,
  publishEvents,
} from '../../../../test/service/delivery-world.ts'
import { MIGRATIONS } from '../store/migrations/index.ts'
import type { Database } from '../store/schema.ts'
import { runDeliveries } from './run-deliveries.ts'

await describeEachStore<Database>('sending deliveries', MIGRATIONS, (open) => {
  test('delivers every event once, signed', async () => {
    const seen: string[] = []
    const { port } = await httpReceiver(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const event = await verify(Buffer.concat(chunks), request.headers, 'a secret')
      seen.push(event.id)
      response.end('{}')
    }, onTestFinished)
    const world = deliveryWorld(await open())
    await addWebhook(world, `http://127.0.0.1:${port}/hook`)
    const running = runDeliveries(world)
    onTestFinished(() => running.stop())
    await publishEvents(world, 100)
    await vi.waitFor(async () => expect(await countStates(world)).toEqual({ delivered: 100 }), 5000)
    expect(seen.length).toBe(100)
    expect(new Set(seen).size).toBe(100)
    await pause(1)
    expect(world.log).toEqual([])
  })
})
