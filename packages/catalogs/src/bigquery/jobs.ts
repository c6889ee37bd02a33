import { StagecraftError } from '@stagecraft/spec'
import type { Address } from '../network/address.ts'
import { connectionFailed, QUERY_SECONDS } from '../network/connection-failed.ts'
import { type HttpRequest, requestJson } from '../network/http-json.ts'
import type { Row, Statement } from '../warehouse/statement.ts'

// https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/query
// https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/getQueryResults
// https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/cancel

export interface JobOptions {
  readonly address: Address
  /** `https://bigquery.googleapis.com`. */
  readonly base: string
  /** The project that is billed. */
  readonly project: string
  readonly location: string | undefined
  /** A statement that would cost more is refused before it starts. */
  readonly maximumBytesBilled: number
  readonly token: () => Promise<string>
  readonly fetch?: typeof globalThis.fetch | undefined
}

interface Answer {
  readonly jobComplete?: boolean
  readonly jobReference?: { readonly jobId: string; readonly location?: string }
  readonly schema?: { readonly fields?: readonly Field[] }
  readonly rows?: readonly WireRow[]
  readonly pageToken?: string
  /** The error of a job without a result, or warnings. */
  readonly errors?: readonly JobError[]
}

interface DryRun {
  readonly totalBytesProcessed?: string
}

interface JobError {
  readonly reason?: string
  readonly message?: string
}

/** The wait of one request; signals are checked between requests. */
const WAIT_MS = 2000
const PAGE_ROWS = '10000'

/** Runs a statement and reads all pages of its rows. The signal ends the job. */
export async function runJob(
  { text, values }: Statement,
  options: JobOptions,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  signal.throwIfAborted()
  let answer = await call<Answer>(`/queries`, options, { method: 'POST', body: jobOf(text, values, options) })
  const rows: Row[] = []
  const fields = (): readonly Field[] => answer.schema?.fields ?? []
  const { jobId = '', location = options.location } = answer.jobReference ?? {}
  try {
    for (;;) {
      signal.throwIfAborted()
      const [fault] = answer.errors ?? []
      if (fault && fields().length === 0)
        throw refused(400, { error: { ...fault, errors: [fault] } }, options)
      if (answer.jobComplete) rows.push(...toRows(answer.rows ?? [], fields()))
      if (answer.jobComplete && answer.pageToken === undefined) return rows
      const query = new URLSearchParams({
        timeoutMs: String(WAIT_MS),
        maxResults: PAGE_ROWS,
        'formatOptions.useInt64Timestamp': 'true',
        ...(location !== undefined && { location }),
        ...(answer.pageToken !== undefined && { pageToken: answer.pageToken }),
      })
      answer = await call<Answer>(`/queries/${encodeURIComponent(jobId)}?${query.toString()}`, options, {
        signal,
      })
    }
  } catch (error) {
    if (signal.aborted) await cancelJob(jobId, location, options)
    throw error
  }
}

/** Returns the number of bytes that a statement would read, by a dry run, which is free. */
export async function bytesRead(text: string, options: JobOptions, signal: AbortSignal): Promise<number> {
  const { maximumBytesBilled: _, ...job } = jobOf(text, [], options)
  const request = { method: 'POST', body: { ...job, dryRun: true }, signal } as const
  const { totalBytesProcessed } = await call<DryRun>('/queries', options, request)
  return Number(totalBytesProcessed ?? 0)
}

function jobOf(
  query: string,
  values: readonly string[],
  { location, maximumBytesBilled }: JobOptions,
): Readonly<Record<string, unknown>> {
  return {
    query,
    useLegacySql: false,
    timeoutMs: WAIT_MS,
    jobTimeoutMs: String(QUERY_SECONDS * 1000),
    maxResults: Number(PAGE_ROWS),
    maximumBytesBilled: String(maximumBytesBilled),
    labels: { tool: 'stagecraft' },
    formatOptions: { useInt64Timestamp: true },
    ...(location !== undefined && { location }),
    ...(values.length > 0 && {
      parameterMode: 'POSITIONAL',
      queryParameters: values.map((value) => ({
        parameterType: { type: 'STRING' },
        parameterValue: { value },
      })),
    }),
  }
}

/** Cancels a job. Otherwise it continues, and costs money, even if nothing waits for it. */
async function cancelJob(jobId: string, location: string | undefined, options: JobOptions): Promise<void> {
  const query = location === undefined ? '' : `?location=${encodeURIComponent(location)}`
  await call(`/jobs/${encodeURIComponent(jobId)}/cancel${query}`, options, {
    method: 'POST',
    seconds: 10,
  }).catch(
    () => undefined, // the caller gets its own reason; the job ends at its time limit
  )
}

interface DatasetList {
  readonly datasets?: readonly { readonly datasetReference: { readonly datasetId: string } }[]
  readonly nextPageToken?: string
}

/** Lists the datasets of a project, which is free. */
export async function listDatasets(
  project: string,
  options: JobOptions,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  let page: string | undefined
  do {
    const query = new URLSearchParams({ maxResults: '1000', ...(page !== undefined && { pageToken: page }) })
    const { datasets = [], nextPageToken } = await call<DatasetList>(
      `/datasets?${query.toString()}`,
      { ...options, project },
      { signal },
    )
    rows.push(...datasets.map(({ datasetReference }) => ({ schema_name: datasetReference.datasetId })))
    page = nextPageToken
  } while (page !== undefined)
  return rows
}

async function call<Body>(path: string, options: JobOptions, request: HttpRequest): Promise<Body> {
  const { address, base, fetch, project } = options
  const url = `${base}/bigquery/v2/projects/${encodeURIComponent(project)}${path}`
  const headers = { authorization: `Bearer ${await options.token()}` }
  const answer = await requestJson(url, { ...request, headers, fetch }).catch((error: unknown) => {
    throw request.signal?.aborted ? error : connectionFailed(error, address)
  })
  if (answer.status >= 400) throw refused(answer.status, answer.body, options)
  return (answer.body ?? {}) as Body
}

interface Refusal {
  readonly pattern: RegExp
  /** The remedy; `{project}` is the billed project. */
  readonly check: string
}

/** https://cloud.google.com/bigquery/docs/error-messages */
const REFUSALS: readonly Refusal[] = [
  { pattern: /^401$/, check: 'check the token or the key, which may have expired' },
  {
    pattern: /jobs\.create/,
    check:
      'grant roles/bigquery.jobUser on the project {project}, or name another project with execution_project',
  },
  {
    pattern: /bytesBilledLimitExceeded|bytes billed/,
    check: 'raise maximum_bytes_billed of the address or profile',
  },
  {
    pattern: /accessDenied|Access Denied|^403$/,
    check: 'grant roles/bigquery.metadataViewer on the dataset, and roles/bigquery.dataViewer to read rows',
  },
  { pattern: /Not found: (?:Dataset|Project)/, check: 'check project, dataset and location of the address' },
]

function refused(status: number, body: unknown, { address, project }: JobOptions): StagecraftError {
  const { error } = (body ?? {}) as {
    readonly error?: { readonly message?: string; readonly errors?: readonly JobError[] }
  }
  const message = error?.message?.split('\n')[0] ?? `status ${status}`
  const reason = address.holdsSecret(message) ? `status ${status}` : message
  const signs = [message, String(status), ...(error?.errors ?? []).map((one) => one.reason ?? '')]
  const found = REFUSALS.find(({ pattern }) => signs.some((sign) => pattern.test(sign)))
  const suggestion = (found?.check ?? 'check the address and the state of BigQuery').replace(
    '{project}',
    project,
  )
  const { host, port } = address
  return new StagecraftError(
    'CONNECTION_FAILED',
    `cannot read BigQuery at ${host}:${port}: ${reason}; ${suggestion}`,
    {
      details: { host, port, reason, suggestion },
    },
  )
}

/** A field of a result, with the names of the REST API: `INTEGER`, `RECORD` with fields, mode `REPEATED`. */
interface Field {
  readonly name: string
  readonly type: string
  readonly mode?: string
  readonly fields?: readonly Field[]
}

/** A row as the REST API sends it: cells in the order of the fields, with values as texts. */
interface WireRow {
  readonly f?: readonly { readonly v?: unknown }[]
}

/** https://cloud.google.com/bigquery/docs/reference/rest/v2/tables#TableFieldSchema */
const VALUES: Readonly<Record<string, (text: string) => unknown>> = {
  INTEGER: toInteger,
  INT64: toInteger,
  FLOAT: Number,
  FLOAT64: Number,
  BOOLEAN: (text) => text === 'true',
  BOOL: (text) => text === 'true',
  TIMESTAMP: (microseconds) => new Date(Number(microseconds) / 1000),
}

/** Converts rows to JavaScript values by header. Exact decimals stay texts, and large integers become bigint. */
function toRows(rows: readonly WireRow[], fields: readonly Field[]): readonly Row[] {
  return rows.map((row) => toRecord(row, fields))
}

function toRecord({ f: cells = [] }: WireRow, fields: readonly Field[]): Row {
  return Object.fromEntries(fields.map((field, index) => [field.name, toValue(cells[index]?.v, field)]))
}

function toValue(value: unknown, field: Field): unknown {
  if (value === null || value === undefined) return null
  if (field.mode === 'REPEATED') {
    const items = value as readonly { readonly v?: unknown }[]
    return items.map((item) => toValue(item.v, { ...field, mode: 'NULLABLE' }))
  }
  if (field.fields) return toRecord(value, field.fields)
  return typeof value === 'string' ? (VALUES[field.type]?.(value) ?? value) : value
}

function toInteger(text: string): number | bigint {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}
