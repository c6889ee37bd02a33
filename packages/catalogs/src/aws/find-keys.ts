import { loadPackage, StagecraftError } from '@stagecraft/spec'
import type { AwsKeys, AwsPlace } from './place.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Finds the keys to sign with: from the address, from the environment, otherwise from the credential chain of
 * AWS: profiles, SSO, roles, machine metadata.
 *
 * @throws {StagecraftError} INVALID_REQUEST if the chain is needed but not installed, or finds nothing.
 */
export async function findKeys(
  { keys, profile }: Pick<AwsPlace, 'keys' | 'profile'>,
  environment: Environment,
): Promise<AwsKeys> {
  if (keys) return keys()
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment
  if (profile === undefined && accessKeyId && secretAccessKey)
    return { accessKeyId, secretAccessKey, sessionToken: environment['AWS_SESSION_TOKEN'] }
  const { defaultProvider } = await loadPackage({
    packageName: '@aws-sdk/credential-provider-node',
    neededBy: 'a profile, SSO or role of AWS',
    instead: `set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, as "${EXPORT}" prints them`,
    load: () => import('@aws-sdk/credential-provider-node'),
  })
  try {
    return await defaultProvider(profile === undefined ? {} : { profile })()
  } catch (error) {
    // its message may repeat a file with keys, so only the class of the error is reported
    const reason = error instanceof Error ? error.name : 'error'
    const where = profile === undefined ? 'AWS' : `the profile ${JSON.stringify(profile)} of AWS`
    throw StagecraftError.invalid(
      { path: 'catalog', expected: `credentials of ${where}`, received: `none (${reason})` },
      { suggestion: 'run aws sso login, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY' },
    )
  }
}

const EXPORT = 'aws configure export-credentials --format env'
