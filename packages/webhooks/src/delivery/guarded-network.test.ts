import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { guardedNetwork } from './guarded-network.ts'
import type { Lookup } from './resolve-host.ts'

/** A server that greets, and counts who comes. */
async function greeter() {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

/** What is open where the machine is not. */
const ELSEWHERE = ['public', 'private']

/** Gives one list of addresses after the other, the last one forever. */
function answers(...lists: readonly (readonly string[])[]): Lookup {
  let asked = 0
  return async () => {
    const list = lists[asked++] ?? lists.at(-1) ?? []
    return list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
}

interface Try {
  readonly host: string
  readonly lookup?: Lookup
  readonly networks?: readonly string[]
}

/** Returns `open`, or the code of the error. */
async function connect(port: number, { host, ...options }: Try): Promise<string> {
  const socket = guardedNetwork(options).socket()
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.on('connect', () => resolve('open'))
  socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  socket.connect(port, host)
  const result = await promise
  socket.destroy()
  return result
}

test.each<[string, Try]>([
  ['loopback', { host: '127.0.0.1', networks: ELSEWHERE }],
  ['localhost', { host: 'localhost', networks: ELSEWHERE }],
  ['a short form of it', { host: '127.1', networks: ELSEWHERE }],
  ['a number', { host: '2130706433', networks: ELSEWHERE }],
  ['no address', { host: '0.0.0.0' }],
  ['metadata, whatever is allowed', { host: '169.254.169.254', networks: ['0.0.0.0/0'] }],
  ['an address inside another', { host: '::ffff:127.0.0.1', networks: ['machine'] }],
  [
    'a name that leads there',
    { host: 'db.example.com', lookup: answers(['127.0.0.1']), networks: ELSEWHERE },
  ],
  [
    'a name that also leads there',
    { host: 'db.example.com', lookup: answers(['1.1.1.1', '127.0.0.1']), networks: ELSEWHERE },
  ],
])('a socket does not connect to %s', async (_, attempt) => {
  const { connections, port } = await greeter()
  expect(await connect(port, attempt)).toBe('UNSAFE_ADDRESS')
  expect(connections()).toBe(0)
})

test('a socket connects to the address that was checked', async () => {
  const { connections, port } = await greeter()
  const lookup = answers(['127.0.0.1'], ['169.254.169.254'])
  const network = { host: 'db.example.com', lookup, networks: ['machine'] }
  expect(await connect(port, network)).toBe('open')
  expect(await connect(port, network)).toBe('UNSAFE_ADDRESS')
  expect(connections()).toBe(1)
})

test('a socket connects to allowed hosts by address or name, and tries all their addresses', async () => {
  const { port } = await greeter()
  const networks = ['machine']
  expect(await connect(port, { host: '127.0.0.1', networks })).toBe('open')
  expect(await connect(port, { host: 'localhost', networks })).toBe('open')
  const lookup = answers(['127.0.0.9', '127.0.0.1'])
  expect(await connect(port, { host: 'db', lookup, networks: ['127.0.0.0/8'] })).toBe('open')
})

test('a Unix socket is a file and is not opened', async () => {
  const socket = guardedNetwork({ networks: ['machine'] }).socket()
  socket.connect('/run/postgresql/.s.PGSQL.5432')
  expect(await once(socket, 'error')).toMatchObject([{ code: 'UNSAFE_ADDRESS' }])
})

test('reports an unknown host name', async () => {
  const lookup = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
  expect(await connect(1, { host: 'db.example.com', lookup })).toBe('ENOTFOUND')
})

test('requests follow the same rules, and http: does not reach public networks', async () => {
  const { connections, port } = await greeter()
  const closed = guardedNetwork({ lookup: answers(['127.0.0.1']), networks: ELSEWHERE })
  const open = guardedNetwork({
    lookup: answers(['127.0.0.1'], ['169.254.169.254'], ['1.1.1.1']),
    networks: ['public', 'machine'],
  })
  const url = `http://warehouse.example.com:${port}/`
  const unsafe = { cause: { code: 'UNSAFE_ADDRESS' } }
  await expect(closed.fetch(url)).rejects.toMatchObject(unsafe)
  expect(await (await open.fetch(url)).text()).toBe('hi')
  await expect(open.fetch(url)).rejects.toMatchObject(unsafe)
  await expect(open.fetch(url)).rejects.toMatchObject(unsafe)
  expect(connections()).toBe(1)
})
