import { redactSecrets, StagecraftError } from '@stagecraft/spec'
import type { JobError } from '../store/schema.ts'

/** Returns the error of a failed job as its readers may see it. Unexpected errors are only in the log. */
export function toJobError(error: unknown): JobError {
  if (!(error instanceof StagecraftError)) {
    const message = 'it failed unexpectedly; the log of the service has the reason under its id'
    return { code: 'GENERATION_FAILED', message }
  }
  const { code, details, message } = error
  if (code !== 'CONNECTION_FAILED')
    return { code, message: redactSecrets(message), ...(details && { details: withoutSecrets(details) }) }
  const reason = typeof details?.['reason'] === 'string' ? details['reason'] : 'the log has the reason'
  return {
    code,
    message: `no connection: ${redactSecrets(reason)}`,
    details: { reason: redactSecrets(reason) },
  }
}

function withoutSecrets(details: JobError['details'] & object): JobError['details'] & object {
  return JSON.parse(JSON.stringify(details), (_, value: unknown) =>
    typeof value === 'string' ? redactSecrets(value) : value,
  ) as JobError['details'] & object
}
