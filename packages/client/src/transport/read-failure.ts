import { errorEnvelopeSchema, StagecraftError } from '@stagecraft/spec'
import type { ReadResponse } from './exchange.ts'
import { parseJson } from './parse-json.ts'

// Open to additions of newer services.
const failureSchema = errorEnvelopeSchema.extend({ meta: errorEnvelopeSchema.shape.meta.strip() })

/** Returns the service's error with `details.requestId`; undefined for anything but an error envelope. */
export function readFailure(response: ReadResponse): StagecraftError | undefined {
  if (isFile(response)) return undefined
  const failure = failureSchema.safeParse(parseJson(response))
  if (!failure.success) return undefined
  const { error, meta } = failure.data
  return new StagecraftError(error.code, error.message, {
    details: { ...error.details, requestId: meta.requestId },
  })
}

/** Returns true for a file. Its content is never read as an answer of the service. */
function isFile({ contentType, status }: ReadResponse): boolean {
  return status < 400 && contentType !== '' && !contentType.endsWith('json')
}
