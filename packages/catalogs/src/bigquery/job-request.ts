import { QUERY_SECONDS } from '../network/connection-failed.ts'
import type { ApiOptions } from './api.ts'

/** The wait of one request; signals are checked between requests. */
const WAIT_MS = 2000
const PAGE_ROWS = '10000'

/** Returns the body of a request that starts a job. */
export function jobOf(
  query: string,
  values: readonly string[],
  { location, maximumBytesBilled }: ApiOptions,
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

/** Returns the query of a request for a page of rows; without a page token, it waits for the job. */
export function pageOf(pageToken: string | undefined, location: string | undefined): string {
  return new URLSearchParams({
    timeoutMs: String(WAIT_MS),
    maxResults: PAGE_ROWS,
    'formatOptions.useInt64Timestamp': 'true',
    ...(location !== undefined && { location }),
    ...(pageToken !== undefined && { pageToken }),
  }).toString()
}
