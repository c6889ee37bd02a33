import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** How the fake answers a statement whose text matches. */
export interface BigqueryAnswer {
  readonly when: RegExp
  /** The names of its fields, which are texts. */
  readonly fields?: readonly string[]
  readonly rows?: readonly (readonly (string | null)[])[]
  /** The bytes that a dry run tells. @default 0 */
  readonly bytes?: number
  /** The refusal, of a dry run too. */
  readonly denied?: string
  /** It goes on until it is cancelled. */
  readonly isEndless?: true
}

interface Body {
  readonly query?: string
  readonly dryRun?: boolean
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

/**
 * Jobs of BigQuery over HTTP, as its pages describe them: https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/query.
 * It runs no SQL: each text has its answer.
 */
export class FakeBigquery {
  /** The statements that ran, and those that were only tried. */
  readonly ran: string[] = []
  readonly dryRuns: string[] = []
  readonly cancelled: string[] = []
  readonly #answers: readonly BigqueryAnswer[]
  readonly #datasets: readonly string[]
  readonly #server: Server

  constructor(datasets: readonly string[], answers: readonly BigqueryAnswer[]) {
    this.#datasets = datasets
    this.#answers = answers
    this.#server = createServer((request, response) => {
      void this.#respond(request, response)
    })
  }

  async start(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { body, status } = this.#answer(request, JSON.parse((await text(request)) || '{}') as Body)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

  #answer({ headers, method = '', url = '' }: IncomingMessage, body: Body): Answer {
    if (headers.authorization !== 'Bearer canary-t0ken')
      return refusal(401, 'authError', 'Invalid credentials')
    if (url.includes('/datasets'))
      return ok({ datasets: this.#datasets.map((datasetId) => ({ datasetReference: { datasetId } })) })
    const cancelled = /\/jobs\/(\w+)\/cancel/.exec(url)?.[1]
    if (cancelled !== undefined) {
      this.cancelled.push(cancelled)
      return ok({})
    }
    const [, job = ''] = /\/queries\/(\w+)/.exec(url) ?? []
    return method === 'POST' ? this.#run(body) : ok(running(job))
  }

  #run({ dryRun = false, query = '' }: Body): Answer {
    const found = this.#answers.find(({ when }) => when.test(query))
    const { bytes = 0, denied, fields = ['one'], isEndless, rows = [['1']] } = found ?? {}
    if (denied !== undefined) return refusal(403, 'accessDenied', denied)
    const schema = { fields: fields.map((name) => ({ name, type: 'STRING' })) }
    if (dryRun) {
      this.dryRuns.push(query)
      return ok({ jobComplete: true, schema, totalBytesProcessed: String(bytes) })
    }
    this.ran.push(query)
    const jobId = `j${this.ran.length}`
    if (isEndless) return ok(running(jobId))
    return ok({
      jobComplete: true,
      jobReference: { projectId: 'p', jobId, location: 'EU' },
      schema,
      rows: rows.map((cells) => ({ f: cells.map((v) => ({ v })) })),
    })
  }
}

function ok(body: unknown): Answer {
  return { status: 200, body }
}

function running(jobId: string): object {
  return { jobComplete: false, jobReference: { projectId: 'p', jobId, location: 'EU' } }
}

function refusal(status: number, reason: string, message: string): Answer {
  return { status, body: { error: { code: status, message, errors: [{ reason, message }] } } }
}
