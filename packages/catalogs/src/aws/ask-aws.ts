import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { toJson, toText } from '../dbt/json.ts'
import { connectionFailed } from '../network/connection-failed.ts'
import { type HttpAnswer, requestJson } from '../network/http-json.ts'
import type { AskAws, AwsCall } from './aws-call.ts'
import { awsFailure } from './aws-failure.ts'
import { type Environment, findKeys } from './find-keys.ts'
import type { AwsKeys, AwsPlace, AwsRole } from './place.ts'
import { type AwsService, SERVICES } from './services.ts'
import { StagecraftError } from '@stagecraft/spec'

export interface AwsOptions {
  readonly environment: Environment
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** The time for which keys are reused. Keys of roles are valid for at least 15 minutes. */
const KEYS_MS = 5 * 60_000
const ATTEMPTS = 5

/** Sends signed requests to the services of a region, with the credentials or the role of the place. */
export function askAws(place: AwsPlace, options: AwsOptions): AskAws {
  let found: { readonly keys: Promise<AwsKeys>; readonly at: number } | undefined
  const findAll = async (): Promise<AwsKeys> => {
    const keys = await findKeys(place, options.environment)
    if (!place.role) return keys
    return assumeRole(place.role, (call, signal) => askWith(keys, place, options)(call, signal))
  }
  return async (call, signal) => {
    if (!found || Date.now() - found.at > KEYS_MS) found = { keys: findAll(), at: Date.now() }
    return askWith(await found.keys, place, options)(call, signal)
  }
}

/** Signs requests with keys: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
function askWith(keys: AwsKeys, { address, region }: AwsPlace, { environment, fetch }: AwsOptions): AskAws {
  const send = async (call: AwsCall, signal: AbortSignal | undefined): Promise<HttpAnswer> => {
    const { body, headers } = requestOf(call)
    const request = await new AwsV4Signer({
      method: 'POST',
      url: endpointOf(call.service, region, environment),
      headers,
      body,
      accessKeyId: keys.accessKeyId,
      secretAccessKey: keys.secretAccessKey,
      ...(keys.sessionToken !== undefined && { sessionToken: keys.sessionToken }),
      service: call.service,
      region,
    }).sign()
    const signed = Object.fromEntries(request.headers)
    try {
      return await requestJson(request.url, { method: 'POST', headers: signed, body, signal, fetch })
    } catch (error) {
      signal?.throwIfAborted()
      throw connectionFailed(error, {
        ...address,
        host: request.url.hostname,
        port: Number(request.url.port || 443),
      })
    }
  }
  return async (call, signal) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await send(call, signal)
      const fields = typeof answer.body === 'string' ? leavesOf(answer.body) : toJson(answer.body)
      if (answer.status < 400) return fields
      const failure = awsFailure({ ...answer, fields }, call, address)
      if (!failure.isBusy || attempt >= ATTEMPTS) throw failure.error
      await sleep(200 * 2 ** attempt, undefined, { signal })
    }
  }
}

function requestOf({ input, service, target }: AwsCall): {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
} {
  const { version } = SERVICES[service]
  if (version === undefined)
    return {
      body: JSON.stringify(input),
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
    }
  const form = new URLSearchParams({ Action: target, Version: version })
  for (const [name, value] of Object.entries(input)) form.set(name, String(value))
  return { body: form.toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
}

/**
 * Returns the URL of a service. Only the variables of the AWS tools can change it, so an address cannot
 * redirect a signed request.
 */
function endpointOf(service: AwsService, region: string, environment: Environment): string {
  const variable = `AWS_ENDPOINT_URL_${service.toUpperCase().replaceAll('-', '_')}`
  const own = environment[variable] || environment['AWS_ENDPOINT_URL'] || undefined
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return own ?? `https://${service}.${region}.${domain}/`
}

/** Requests keys of a role: https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
async function assumeRole({ arn, externalId, seconds, sessionName }: AwsRole, ask: AskAws): Promise<AwsKeys> {
  const answer = await ask({
    service: 'sts',
    target: 'AssumeRole',
    input: {
      RoleArn: arn,
      RoleSessionName: sessionName,
      ...(externalId !== undefined && { ExternalId: externalId }),
      ...(seconds !== undefined && { DurationSeconds: seconds }),
    },
  })
  const [accessKeyId, secretAccessKey] = [toText(answer['AccessKeyId']), toText(answer['SecretAccessKey'])]
  if (accessKeyId !== undefined && secretAccessKey !== undefined)
    return { accessKeyId, secretAccessKey, sessionToken: toText(answer['SessionToken']) }
  throw new StagecraftError('CONNECTION_FAILED', `AWS returned no keys for the role ${arn}`)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Returns the texts of the innermost elements of an answer by name; each name that is needed occurs only once. */
function leavesOf(xml: string): Readonly<Record<string, string>> {
  const found = xml.matchAll(/<(\w+)>([^<]*)<\/\1>/g)
  return Object.fromEntries([...found].map(([, name = '', text = '']) => [name, decode(text)]))
}

function decode(text: string): string {
  return text.replaceAll(
    /&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi,
    (whole: string, decimal?: string, hex?: string, name?: string) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return Number.isNaN(code) ? (ENTITIES[name ?? ''] ?? whole) : String.fromCodePoint(code)
    },
  )
}
