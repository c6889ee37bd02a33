// One server in a process of its own: node http-server.ts app|bare. Prints its port, and on request what it used.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine, type Engine } from '@stagecraft/core'
import { createApp, staticKeys } from '@stagecraft/http'
import type { Catalog, GenerationRequest, Table } from '@stagecraft/spec'

const NAMES = ['created_at', 'customerId', 'amount', 'status', 'active']
const TYPES = ['timestamp with time zone', 'bigint', 'numeric(18,2)', 'text', 'boolean']

const table: Table & { readonly name: string } = {
  name: 'payments',
  schema: 'stripe',
  columns: Array.from({ length: 30 }, (_, index) =>
    index === 0
      ? { name: 'id', type: 'bigint', nullable: false }
      : { name: `${NAMES[index % 5]}_${index}`, type: TYPES[index % 5] ?? 'text', nullable: index > 3 },
  ),
  primaryKey: ['id'],
}

const catalog: Catalog = {
  dialect: 'postgres',
  tables: () => Promise.resolve([table]),
  describe: () => Promise.resolve(table),
  close: () => Promise.resolve(),
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  request.setEncoding('utf8')
  for await (const chunk of request) text += chunk
  return text
}

/** The least that answers at all: no key, no checks, no limits, no ids, no log. */
function listenBare(engine: Engine): Promise<number> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { data, meta } = await engine.generate(JSON.parse(await readText(request)) as GenerationRequest)
    const body = JSON.stringify({ success: true, data, meta })
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    })
    response.end(body)
  }
  const server = createServer((request, response) => void answer(request, response))
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

async function listenApp(engine: Engine): Promise<number> {
  const app = createApp({ engine, keys: staticKeys([{ name: 'bench', key: 'bench' }]) })
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
}

const engine = createEngine({ catalog })
const port = await (process.argv[2] === 'app' ? listenApp(engine) : listenBare(engine))

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ port, microseconds: user + system })
})
process.on('disconnect', () => process.exit())
