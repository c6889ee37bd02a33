import { StagecraftError } from '@stagecraft/spec'
import type { Address } from '../network/address.ts'

export interface JobError {
  readonly reason?: string
  readonly message?: string
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

export function refused(
  status: number,
  body: unknown,
  { address, project }: { readonly address: Address; readonly project: string },
): StagecraftError {
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
