import type { AwsCall } from './aws-call.ts'
import type { Environment } from './find-keys.ts'
import { type AwsService, SERVICES } from './services.ts'

/** Returns a call as JSON, or as a form for the services that answer in XML. */
export function requestOf({ input, service, target }: AwsCall): {
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
export function endpointOf(service: AwsService, region: string, environment: Environment): string {
  const variable = `AWS_ENDPOINT_URL_${service.toUpperCase().replaceAll('-', '_')}`
  const own = environment[variable] || environment['AWS_ENDPOINT_URL'] || undefined
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return own ?? `https://${service}.${region}.${domain}/`
}
