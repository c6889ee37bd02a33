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
  ['PostgreSQL', () => postgres({ connectionString: `postgres://me@127.0.0.1:${port}/x` })],
  ['MySQL', () => mysql({ connectionString: `mysql://me@127.0.0.1:${port}/x` })],
] as const

test('gives up on a silent server after 10 s', async () => {
  const start = performance.now()
  const failures = OPENERS.map(([engine, open]) =>
    expect(open()).rejects.toThrow(
      `cannot read ${engine} at 127.0.0.1:${port}: timeout after 10 s; check host, port`,
    ),
  )
  await Promise.all(failures)
  expect(performance.now() - start).toBeGreaterThan(9000)
})
