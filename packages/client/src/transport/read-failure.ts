import { errorEnvelopeSchema, StagecraftError } from '@stagecraft/spec'
import type { ReadResponse } from './exchange.ts'
import { parseJson } from './parse-json.ts'

// Open to what a newer service adds.
const failureSchema = errorEnvelopeSchema.extend({ meta: errorEnvelopeSchema.shape.meta.strip() })

/** The error that a service answered, with `details.requestId`; undefined for anything but an error envelope. */
export function readFailure(response: ReadResponse): StagecraftError | undefined {
  if (isFile(response)) return undefined
  const failure = failureSchema.safeParse(parseJson(response))
  if (!failure.success) return undefined
  const { error, meta } = failure.data
  return new StagecraftError(error.code, error.message, {
    details: { ...error.details, requestId: meta.requestId },
  })
}

/** Returns true for a file: its content is never read as an answer of the service, whatever it looks like. */
function isFile({ contentType, status }: ReadResponse): boolean {
  return status < 400 && contentType !== '' && !contentType.endsWith('json')
}
