import { type AddressInfo, connect, createServer } from 'node:net'
import { beforeAll, describe } from 'vitest'

/** A server that tests need and that may not be there. */
export interface TestServer {
  readonly url: string
  /** The environment variable that says where it is. */
  readonly variable: string
  readonly isReachable: boolean
}

/** PostgreSQL, with a user who may create databases. */
export function postgresServer(): Promise<TestServer> {
  return findServer('STAGECRAFT_TEST_POSTGRES', 'postgres://postgres@127.0.0.1:5432/test', 5432)
}

/** MySQL or MariaDB, with a user who may create databases. */
export function mysqlServer(): Promise<TestServer> {
  return findServer('STAGECRAFT_TEST_MYSQL', 'mysql://root@127.0.0.1:3306/test', 3306)
}

/**
 * Groups tests that need a server. Without it they are skipped, the variable to set in their title; where
 * STAGECRAFT_REQUIRE_ALL is set the group fails instead, so that no run passes by having tested less.
 */
export function describeWithServer(name: string, server: TestServer, body: () => void): void {
  const { isReachable, variable } = server
  const isRequired = Boolean(process.env['STAGECRAFT_REQUIRE_ALL'])
  describe.skipIf(!isReachable && !isRequired)(
    `${name} (the server in ${variable})`,
    { meta: { needs: `the server in ${variable}` } },
    () => {
      beforeAll(() => {
        if (!isReachable) throw new Error(`nothing answers at the address in ${variable}, or at its default`)
      })
      body()
    },
  )
}

async function findServer(variable: string, standard: string, defaultPort: number): Promise<TestServer> {
  const url = process.env[variable] ?? standard
  const { hostname, port } = new URL(url)
  return { url, variable, isReachable: await isListening(hostname, Number(port) || defaultPort) }
}

/** Returns true if somebody takes connections there. */
export function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 10_000 })
    const finish = (isReachable: boolean): void => {
      socket.destroy()
      resolve(isReachable)
    }
    socket.once('connect', () => finish(true))
    socket.once('error', () => finish(false))
    socket.once('timeout', () => finish(false))
  })
}

/** Returns a port of this machine at which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
