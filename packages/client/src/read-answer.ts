import {
  errorEnvelopeSchema,
  generationSchema,
  type Generation,
  type Meta,
  StagecraftError,
  successEnvelopeSchema,
  warningSchema,
} from '@stagecraft/spec'
import { connectionFailed } from './connection-failed.ts'

/** The answer to one request: `data` and `meta` of the success envelope. */
export interface Answer {
  /** Its warnings may have codes that are newer than this client. */
  readonly data: Generation
  readonly meta: Meta
}

/** A response that was read to its end. */
export interface ReadResponse {
  readonly status: number
  readonly text: string
}

// The schemas of the service, but open to what a newer one adds: fields are passed over, warnings are let through.
const newerWarningSchema = warningSchema.extend({ code: warningSchema.shape.message })
const answerSchema = successEnvelopeSchema.extend({
  data: generationSchema.extend({ warnings: newerWarningSchema.array().readonly() }),
})
const failureSchema = errorEnvelopeSchema.extend({ meta: errorEnvelopeSchema.shape.meta.strip() })

/** @throws {StagecraftError} What the service answered; CONNECTION_FAILED for what is no envelope. */
export function readAnswer({ status, text }: ReadResponse, host: string): Answer {
  const body = parseJson(text)
  const failure = failureSchema.safeParse(body)
  if (failure.success) {
    const { error, meta } = failure.data
    const details = { ...error.details, requestId: meta.requestId }
    throw new StagecraftError(error.code, error.message, { details })
  }
  const answer = answerSchema.safeParse(body)
  if (!answer.success || status < 200 || status > 299)
    throw connectionFailed(host, `status ${status} with a body that is not of a Stagecraft service`)
  const { data, meta } = answer.data
  return { data: data as Generation, meta }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
