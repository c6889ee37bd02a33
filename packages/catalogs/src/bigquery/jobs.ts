import { StagecraftError } from '@stagecraft/spec'
import { type Address } from '../network/address.ts'
import { connectionFailed, QUERY_SECONDS } from '../network/connection-failed.ts'
import { type HttpRequest, requestJson } from '../network/http-json.ts'
import type { Row, Statement } from '../warehouse/statement.ts'
import { type Field, toRows, type WireRow } from './rows.ts'

// https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/query
// https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/getQueryResults
// https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/cancel

export interface JobOptions {
  readonly address: Address
  /** `https://bigquery.googleapis.com`. */
  readonly base: string
  /** The project that pays. */
  readonly project: string
  readonly location: string | undefined
  /** A statement that would be billed for more is refused before it starts. */
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
  /** The fault of a job that has no result, or warnings beside one. */
  readonly errors?: readonly JobError[]
}

interface JobError {
  readonly reason?: string
  readonly message?: string
}

/** The time for which one request waits; a signal is heeded between two of them. */
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

/** A job goes on, and costs, when nobody waits for it. */
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

/** The datasets of a project, which cost nothing to list. */
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
  /** The remedy; `{project}` is the one that pays. */
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
  const said = error?.message?.split('\n')[0] ?? `status ${status}`
  const reason = address.holdsSecret(said) ? `status ${status}` : said
  const signs = [said, String(status), ...(error?.errors ?? []).map((one) => one.reason ?? '')]
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
