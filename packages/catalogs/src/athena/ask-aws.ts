import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { StagecraftError } from '@stagecraft/spec'
import { type Json, toJson, toText } from '../dbt/json.ts'
import type { Address } from '../network/address.ts'
import { connectionFailed, refused } from '../network/connection-failed.ts'
import { type HttpAnswer, requestJson } from '../network/http-json.ts'
import { type Environment, findKeys } from './find-keys.ts'
import type { AthenaPlace } from './place.ts'

/** Calls an operation of a service, such as `AWSGlue.GetTables`, and returns its answer. */
export type AskAws = (call: AwsCall, signal?: AbortSignal) => Promise<Json>

interface AwsCall {
  readonly service: 'athena' | 'glue'
  /** As `X-Amz-Target` names it. */
  readonly target: string
  readonly input: Json
}

export interface AwsOptions {
  readonly environment: Environment
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Keys of roles expire after 15 minutes at the earliest. */
const KEYS_MS = 5 * 60_000
const ATTEMPTS = 5

/** Signed requests to the services of a region: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
export function askAws(place: AthenaPlace, { environment, fetch }: AwsOptions): AskAws {
  const { address, region } = place
  let found: { readonly keys: ReturnType<typeof findKeys>; readonly at: number } | undefined
  return async ({ input, service, target }, signal) => {
    if (!found || Date.now() - found.at > KEYS_MS)
      found = { keys: findKeys(place, environment), at: Date.now() }
    const keys = await found.keys
    for (let attempt = 1; ; attempt++) {
      const body = JSON.stringify(input)
      const request = await new AwsV4Signer({
        method: 'POST',
        url: endpointOf(service, region, environment),
        headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
        body,
        accessKeyId: keys.accessKeyId,
        secretAccessKey: keys.secretAccessKey,
        ...(keys.sessionToken !== undefined && { sessionToken: keys.sessionToken }),
        service,
        region,
      }).sign()
      const answer = await send(request.url, Object.fromEntries(request.headers), body)
      if (answer.status < 400) return toJson(answer.body)
      const failure = awsFailure(answer, target, address)
      if (!failure.isBusy || attempt >= ATTEMPTS) throw failure.error
      await sleep(200 * 2 ** attempt, undefined, { signal })
    }

    async function send(url: URL, headers: Record<string, string>, body: string): Promise<HttpAnswer> {
      try {
        return await requestJson(url, { method: 'POST', headers, body, signal, fetch })
      } catch (error) {
        signal?.throwIfAborted()
        throw connectionFailed(error, { ...address, host: url.hostname })
      }
    }
  }
}

/** The variables are those of AWS's own tools; no address can change where a signed request goes. */
function endpointOf(service: AwsCall['service'], region: string, environment: Environment): string {
  const own =
    environment[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] || environment['AWS_ENDPOINT_URL'] || undefined
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return own ?? `https://${service}.${region}.${domain}/`
}

/** The code in `details.awsError` of an error: `EntityNotFoundException`. */
export function awsErrorOf(error: unknown): string | undefined {
  const details: unknown = error instanceof Error && 'details' in error ? error.details : undefined
  return (details as { readonly awsError?: string } | undefined)?.awsError
}

interface Remedy {
  readonly codes: RegExp
  readonly check: string
  /** The message repeats what was signed, and with it a token. */
  readonly isSecret?: true
}

/** https://docs.aws.amazon.com/glue/latest/webapi/CommonErrors.html */
const REMEDIES: readonly Remedy[] = [
  {
    codes:
      /^(?:UnrecognizedClient|InvalidSignature|InvalidClientTokenId|IncompleteSignature|SignatureDoesNotMatch)/,
    check: 'the access key and its secret, and the clock of this machine',
    isSecret: true,
  },
  { codes: /^Expired/, check: 'that the session has not expired: run aws sso login', isSecret: true },
  {
    codes: /^AccessDenied/,
    check:
      'glue:GetDatabases, glue:GetTables and glue:GetTable in IAM, and SELECT or DESCRIBE in Lake Formation',
  },
  { codes: /^EntityNotFound/, check: 'the region, the data catalog and the schema' },
  { codes: /^(?:Throttling|TooManyRequests|RequestLimitExceeded)/, check: 'again in a minute' },
]

function awsFailure(
  { body, headers, status }: HttpAnswer,
  target: string,
  address: Address,
): { readonly error: StagecraftError; readonly isBusy: boolean } {
  const fields = toJson(body)
  const told = toText(fields['__type']) ?? headers.get('x-amzn-errortype') ?? `HTTP ${status}`
  const code = told.replace(/^.*#/, '').replace(/:.*$/, '').slice(0, 80)
  const remedy = REMEDIES.find(({ codes }) => codes.test(code))
  const text = fields['message'] ?? fields['Message']
  const isShown = typeof text === 'string' && !remedy?.isSecret && !address.holdsSecret(text)
  const message = isShown ? `: ${(text.split('\n')[0] ?? '').replaceAll(/\p{Cc}/gu, ' ').slice(0, 300)}` : ''
  const error = refused(
    {
      reason: `${target.replace('.', ' ')} failed with ${code}${message}`,
      check: remedy?.check ?? 'the region and the rights of the credentials',
    },
    address,
    { awsError: code },
  )
  return { error, isBusy: /^(?:Throttling|TooManyRequests|RequestLimitExceeded)/.test(code) }
}
