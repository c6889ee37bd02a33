import type { Row, Statement } from '../warehouse/statement.ts'
import { call, type ApiOptions } from './api.ts'
import { jobOf, pageOf } from './job-request.ts'
import { type JobError, refused } from './refusal.ts'
import { type Field, toRows, type WireRow } from './values.ts'

// https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/query
// https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/getQueryResults
// https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/cancel

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

/** Runs a statement and reads all pages of its rows. The signal ends the job. */
export async function runJob(
  { text, values }: Statement,
  options: ApiOptions,
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
      const path = `/queries/${encodeURIComponent(jobId)}?${pageOf(answer.pageToken, location)}`
      answer = await call<Answer>(path, options, { signal })
    }
  } catch (error) {
    if (signal.aborted) await cancelJob(jobId, location, options)
    throw error
  }
}

/** Returns the number of bytes that a statement would read, by a dry run, which is free. */
export async function bytesRead(text: string, options: ApiOptions, signal: AbortSignal): Promise<number> {
  const { maximumBytesBilled: _, ...job } = jobOf(text, [], options)
  const request = { method: 'POST', body: { ...job, dryRun: true }, signal } as const
  const { totalBytesProcessed } = await call<DryRun>('/queries', options, request)
  return Number(totalBytesProcessed ?? 0)
}

/** Cancels a job. Otherwise it continues, and costs money, even if nothing waits for it. */
async function cancelJob(jobId: string, location: string | undefined, options: ApiOptions): Promise<void> {
  const query = location === undefined ? '' : `?location=${encodeURIComponent(location)}`
  await call(`/jobs/${encodeURIComponent(jobId)}/cancel${query}`, options, {
    method: 'POST',
    seconds: 10,
  }).catch(
    () => undefined, // the caller gets its own reason; the job ends at its time limit
  )
}
