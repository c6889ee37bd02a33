import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How the fake answers a statement whose text matches. */
export interface FakeAnswer {
  readonly when: RegExp
  /** The columns of the result: name and `type_name`. */
  readonly columns?: readonly (readonly [name: string, type: string])[]
  readonly rows?: readonly (readonly (string | null)[])[]
  /** The states that are told one after the other; the last one stays. @default SUCCEEDED at once */
  readonly states?: readonly string[]
  readonly error?: { readonly error_code: string; readonly message: string }
  /** Rows of a chunk. @default all */
  readonly chunk?: number
  readonly manifest?: Readonly<Record<string, unknown>>
  /** Every link to a next chunk leads there. */
  readonly link?: string
}

export interface FakeRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>> | undefined
}

interface Running {
  readonly answer: FakeAnswer
  polls: number
  cancelled: boolean
}

/**
 * A workspace that speaks the Statement Execution API as it is documented:
 * https://docs.databricks.com/api/workspace/statementexecution. It runs no SQL: each text has its answer.
 */
export class FakeDatabricks {
  readonly requests: FakeRequest[] = []
  /** Answers that come before all others, once each. */
  readonly failures: { readonly status: number; readonly body: unknown; readonly retryAfter?: string }[] = []
  readonly #answers: readonly FakeAnswer[]
  readonly #statements = new Map<string, Running>()
  readonly #server: Server
  /** That of Node, also where a test puts this one in its place. */
  readonly #send = globalThis.fetch
  #tokens = 0

  constructor(answers: readonly FakeAnswer[]) {
    this.#answers = answers
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const { body, headers = {}, status } = this.#answer(request, Buffer.concat(parts).toString())
        response.writeHead(status, { 'content-type': 'application/json', ...headers })
        response.end(JSON.stringify(body))
      })
    })
  }

  /** Returns the port that it listens at. */
  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as AddressInfo).port
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Sends what is meant for a workspace to this server. */
  readonly fetch: typeof globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const { port } = this.#server.address() as AddressInfo
    return this.#send(`http://127.0.0.1:${port}${url.pathname}${url.search}`, init)
  }

  /** The ids of statements that were cancelled. */
  get cancelled(): readonly string[] {
    return [...this.#statements].flatMap(([id, { cancelled }]) => (cancelled ? [id] : []))
  }

  #answer({ headers, method = '', url = '' }: IncomingMessage, text: string): Answer {
    const body = text.startsWith('{') ? (JSON.parse(text) as FakeRequest['body']) : undefined
    this.requests.push({ method, path: url, headers, body })
    const failure = this.failures.shift()
    if (failure)
      return { ...failure, headers: { ...(failure.retryAfter && { 'retry-after': failure.retryAfter }) } }
    if (url === '/oidc/v1/token') return this.#issue(headers.authorization, text)
    if (!/^Bearer (?:dapi-good|issued-\d+)$/.test(headers.authorization ?? ''))
      return { status: 401, body: { error_code: 'UNAUTHENTICATED', message: 'Invalid access token.' } }
    const [, id = '', rest = ''] = /^\/api\/2\.0\/sql\/statements(?:\/([\w-]+)(.*))?$/.exec(url) ?? []
    if (method === 'POST' && id === '') return this.#start(body ?? {})
    const running = this.#statements.get(id)
    if (!running) return { status: 404, body: { error_code: 'NOT_FOUND', message: `no statement ${id}` } }
    if (rest === '/cancel') {
      running.cancelled = true
      return { status: 200, body: {} }
    }
    const chunk = /^\/result\/chunks\/(\d+)/.exec(rest)?.[1]
    return {
      status: 200,
      body: chunk === undefined ? this.#poll(id, running) : chunkOf(id, running, Number(chunk)),
    }
  }

  #issue(authorization: string | undefined, text: string): Answer {
    const isKnown = authorization === `Basic ${Buffer.from('client-1:dose-good').toString('base64')}`
    if (!isKnown || text !== 'grant_type=client_credentials&scope=all-apis')
      return {
        status: 401,
        body: { error: 'invalid_client', error_description: 'Client authentication failed' },
      }
    this.#tokens++
    return {
      status: 200,
      body: { access_token: `issued-${this.#tokens}`, token_type: 'Bearer', expires_in: 3600 },
    }
  }

  #start(body: Readonly<Record<string, unknown>>): Answer {
    const statement = body['statement'] as string
    const answer = this.#answers.find(({ when }) => when.test(statement))
    if (!answer)
      return { status: 400, body: { error_code: 'BAD_REQUEST', message: `no answer to ${statement}` } }
    const id = `01ef-${this.#statements.size + 1}`
    const running = { answer, polls: 0, cancelled: false }
    this.#statements.set(id, running)
    return { status: 200, body: this.#poll(id, running) }
  }

  #poll(id: string, running: Running): object {
    const { columns = [], error, manifest, rows = [], states = ['SUCCEEDED'] } = running.answer
    const state = running.cancelled ? 'CANCELED' : states[Math.min(running.polls++, states.length - 1)]
    if (state !== 'SUCCEEDED') return { statement_id: id, status: { state, ...(error && { error }) } }
    return {
      statement_id: id,
      status: { state },
      manifest: {
        format: 'JSON_ARRAY',
        schema: {
          column_count: columns.length,
          columns: columns.map(([name, type], position) => ({
            name,
            type_name: type,
            type_text: type,
            position,
          })),
        },
        total_row_count: rows.length,
        truncated: false,
        ...manifest,
      },
      result: chunkOf(id, running, 0),
    }
  }
}

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

function chunkOf(id: string, { answer }: Running, index: number): object {
  const { chunk = Infinity, link, rows = [] } = answer
  const start = index === 0 ? 0 : index * chunk
  const isLast = start + chunk >= rows.length
  return {
    chunk_index: index,
    row_offset: start,
    data_array: rows.slice(start, start + chunk),
    ...(!isLast && {
      next_chunk_index: index + 1,
      next_chunk_internal_link:
        link ?? `/api/2.0/sql/statements/${id}/result/chunks/${index + 1}?row_offset=${start + chunk}`,
    }),
  }
}
