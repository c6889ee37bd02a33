import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mysql } from '../mysql/index.ts'
import { postgres } from '../postgres/index.ts'

/** Takes connections and never says a word. */
let server: Server
let port: number
beforeAll(async () => {
  server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.close()
})

const OPENERS = [
  [
    'PostgreSQL',
    (signal?: AbortSignal) => postgres({ connectionString: `postgres://me@127.0.0.1:${port}/x`, signal }),
  ],
  ['MySQL', (signal?: AbortSignal) => mysql({ connectionString: `mysql://me@127.0.0.1:${port}/x`, signal })],
] as const

test.each(OPENERS)('a signal stops waiting for a silent server of %s', async (_, open) => {
  const start = performance.now()
  const reason = new Error('stopped')
  const stop = new AbortController()
  setTimeout(() => stop.abort(reason), 50)
  await expect(open(stop.signal)).rejects.toBe(reason)
  expect(performance.now() - start, 'it would wait for 10 s').toBeLessThan(9000)
})
