import {
  generationSchema,
  type Generation,
  type Meta,
  successEnvelopeSchema,
  warningSchema,
} from '@stagecraft/spec'
import { notOfService } from '../transport/connection-failed.ts'
import type { ReadResponse } from '../transport/exchange.ts'
import { parseJson } from '../transport/parse-json.ts'

/** The answer to one request: `data` and `meta` of the success envelope. */
export interface Answer {
  /** Its warnings may have codes that are newer than this client. */
  readonly data: Generation
  readonly meta: Meta
}

// The schemas of the service, but open to additions of newer versions: unknown fields and warnings are accepted.
const newerWarningSchema = warningSchema.extend({ code: warningSchema.shape.message })
const answerSchema = successEnvelopeSchema.extend({
  data: generationSchema.extend({ warnings: newerWarningSchema.array().readonly() }),
})

/** @throws {StagecraftError} CONNECTION_FAILED for anything but an envelope. */
export function readGeneration(response: ReadResponse, host: string): Answer {
  const answer = answerSchema.safeParse(parseJson(response))
  if (!answer.success) throw notOfService(host, response.status)
  const { data, meta } = answer.data
  return { data: data as Generation, meta }
}
