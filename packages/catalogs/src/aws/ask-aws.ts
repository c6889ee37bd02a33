import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { toJson } from '../dbt/json.ts'
import { connectionFailed } from '../network/connection-failed.ts'
import { type HttpAnswer, requestJson } from '../network/http-json.ts'
import type { AskAws, AwsCall } from './aws-call.ts'
import { assumeRole } from './assume-role.ts'
import { awsFailure } from './aws-failure.ts'
import { type Environment, findKeys } from './find-keys.ts'
import type { AwsKeys, AwsPlace } from './place.ts'
import { endpointOf, requestOf } from './request.ts'
import { leavesOf } from './xml.ts'

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
