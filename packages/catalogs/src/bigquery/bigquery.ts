import { type Catalog, StagecraftError } from '@stagecraft/spec'
import { parseAddress } from '../network/address.ts'
import { BIGQUERY } from '../network/servers.ts'
import { openMetadata } from '../warehouse/metadata-warehouse.ts'
import { tokenSource } from './credentials.ts'
import { projectOf } from './project.ts'
import type { ApiOptions } from './api.ts'
import { listDatasets } from './datasets.ts'
import { bytesRead, runJob } from './jobs.ts'
import { schemas, statements } from './statements.ts'
import { toTables } from './to-tables.ts'

export interface BigqueryOptions {
  /** `bigquery://bigquery.googleapis.com/project/dataset?keyfile=key.json&location=EU`. */
  readonly text: string
  /** Cancels the running job, also in BigQuery. */
  readonly signal?: AbortSignal | undefined
  /** Sends the requests. @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Variables that name credentials. @default those of the process */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Milliseconds since 1970. @default the clock */
  readonly now?: () => number
}

/** The default limit of billed bytes for one statement. */
const MOST_BYTES = 1_000_000_000

/**
 * Opens the catalog of a BigQuery project over its REST API. Each statement is billed as at least 10 MB.
 *
 * @throws {StagecraftError} CONNECTION_FAILED if BigQuery does not answer or refuses; INVALID_REQUEST for an
 * invalid address or key.
 */
export async function bigquery(options: BigqueryOptions): Promise<Catalog> {
  const { environment = process.env, fetch, now = Date.now, signal, text } = options
  const address = parseAddress(text, BIGQUERY)
  const [, dataset] = address.path
  const project = await projectOf(address, environment)
  const job: ApiOptions = {
    address,
    base: baseOf(address),
    project: address.option('execution_project') ?? project,
    location: address.option('location'),
    maximumBytesBilled: readLimit(address.option('maximum_bytes_billed')),
    token: await tokenSource(address, { environment, fetch, now }),
    fetch,
  }
  return openMetadata(
    {
      dialect: 'bigquery',
      database: project,
      defaultSchema: dataset,
      schemas: schemas(project),
      statements,
      toTables,
      bytesRead: (text, stop) => bytesRead(text, job, stop),
      run: (statement, stop) =>
        statement.name === 'schemas' ? listDatasets(project, job, stop) : runJob(statement, job, stop),
    },
    signal,
  )
}

/** Returns the base URL. Without TLS, a token is sent only to this machine, for an emulator. */
function baseOf({ host, port }: { readonly host: string; readonly port: number }): string {
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(host)
  return port === BIGQUERY.port || !isLocal ? `https://${host}:${port}` : `http://${host}:${port}`
}

function readLimit(text = String(MOST_BYTES)): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw StagecraftError.invalid({
    path: 'maximum_bytes_billed',
    expected: 'a number of bytes',
    received: `"${text}"`,
  })
}
