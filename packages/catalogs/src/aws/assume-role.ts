import { StagecraftError } from '@stagecraft/spec'
import { toText } from '../dbt/json.ts'
import type { AskAws } from './aws-call.ts'
import type { AwsKeys, AwsRole } from './place.ts'

/** Requests keys of a role: https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
export async function assumeRole(
  { arn, externalId, seconds, sessionName }: AwsRole,
  ask: AskAws,
): Promise<AwsKeys> {
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
