import type { StagecraftError } from '@stagecraft/spec'
import { type Json, toText } from '../dbt/json.ts'
import type { Address } from '../network/address.ts'
import { refused } from '../network/connection-failed.ts'
import type { HttpAnswer } from '../network/http-json.ts'
import type { AwsCall } from './aws-call.ts'
import { SERVICES } from './services.ts'

/** Returns the code in `details.awsError` of an error: `EntityNotFoundException`. */
export function awsErrorOf(error: unknown): string | undefined {
  const details: unknown = error instanceof Error && 'details' in error ? error.details : undefined
  return (details as { readonly awsError?: string } | undefined)?.awsError
}

interface Remedy {
  readonly codes: RegExp
  /** `{rights}` are those of the service. */
  readonly check: string
  /** True if the message would repeat the signed text, including a token. */
  readonly isSecret?: true
}

/**
 * @see https://docs.aws.amazon.com/glue/latest/webapi/CommonErrors.html
 * @see https://docs.aws.amazon.com/redshift/latest/APIReference/API_GetClusterCredentials.html
 */
const REMEDIES: readonly Remedy[] = [
  {
    codes:
      /^(?:UnrecognizedClient|InvalidSignature|InvalidClientTokenId|IncompleteSignature|SignatureDoesNotMatch)/,
    check: 'the access key and its secret, and the clock of this machine',
    isSecret: true,
  },
  { codes: /^Expired/, check: 'that the session has not expired: run aws sso login', isSecret: true },
  { codes: /^AccessDenied/, check: '{rights}' },
  { codes: /^EntityNotFound/, check: 'the region, the data catalog and the schema' },
  { codes: /^ClusterNotFound/, check: 'the options cluster_id and region' },
  { codes: /^ResourceNotFound/, check: 'the options serverless_work_group and region' },
  { codes: /^ValidationError/, check: 'the options of the role' },
  { codes: /^(?:Throttling|TooManyRequests|RequestLimitExceeded)/, check: 'again in a minute' },
]

/** Creates the error for a refusal. `isBusy` is true if another attempt may succeed. */
export function awsFailure(
  { fields, headers, status }: Pick<HttpAnswer, 'headers' | 'status'> & { readonly fields: Json },
  { service, target }: AwsCall,
  address: Address,
): { readonly error: StagecraftError; readonly isBusy: boolean } {
  const name =
    toText(fields['__type']) ?? headers.get('x-amzn-errortype') ?? toText(fields['Code']) ?? `HTTP ${status}`
  const code = name.replace(/^.*#/, '').replace(/:.*$/, '').slice(0, 80)
  const remedy = REMEDIES.find(({ codes }) => codes.test(code))
  const text = fields['message'] ?? fields['Message']
  const isShown = typeof text === 'string' && !remedy?.isSecret && !address.holdsSecret(text)
  const message = isShown ? `: ${(text.split('\n')[0] ?? '').replaceAll(/\p{Cc}/gu, ' ').slice(0, 300)}` : ''
  const check = remedy?.check.replace('{rights}', SERVICES[service].rights)
  const error = refused(
    {
      reason: `${target.replace('.', ' ')} failed with ${code}${message}`,
      check: check ?? 'the region and the permissions of the credentials',
    },
    address,
    { awsError: code },
  )
  return { error, isBusy: /^(?:Throttling|TooManyRequests|RequestLimitExceeded)/.test(code) }
}
