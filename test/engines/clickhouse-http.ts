// The HTTP interface of ClickHouse, as far as a catalog asks it, in front of an embedded one:
// https://clickhouse.com/docs/interfaces/http
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Session } from './engine.ts'

/** One request: its parameters, its credentials and the statement. */
interface Asked {
  readonly parameters: URLSearchParams
  readonly authorization: string | undefined
  readonly statement: string
}

export interface ClickhouseHttp {
  /** `127.0.0.1:12345` */
  readonly host: string
  readonly asked: readonly Asked[]
  close(): Promise<void>
}

/** Parameters that are no settings. */
const NO_SETTINGS = new Set(['database', 'default_format', 'query_id', 'wait_end_of_query'])

/** Serves a session. Settings are those of each statement, so that the engine judges their names and values. */
export async function serveClickhouse(session: Pick<Session, 'query'>): Promise<ClickhouseHttp> {
  const asked: Asked[] = []
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { searchParams: parameters } = new URL(request.url ?? '', 'http://localhost')
    const statement = await text(request)
    asked.push({ parameters, statement, authorization: request.headers.authorization })
    const settings = [...parameters]
      .filter(([name]) => !NO_SETTINGS.has(name))
      .map(([name, value]) => `${name} = '${value}'`)
    try {
      const { columns, rows } = await session.query(
        settings.length === 0 ? statement : `${statement}\nsettings ${settings.join(', ')}`,
      )
      const meta = columns.map((name) => ({ name, type: 'Nullable(String)' }))
      response.setHeader('content-type', 'application/json; charset=UTF-8')
      response.end(JSON.stringify({ meta, data: rows, rows: rows.length }))
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      response.statusCode = 500
      response.setHeader('x-clickhouse-exception-code', /Code: (\d+)/.exec(message)?.[1] ?? '0')
      response.end(`${message.replace(/^.*?(?=Code:)/s, '').split('\n')[0] ?? ''} (version 26.7.2.1)\n`)
    }
  }

  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
