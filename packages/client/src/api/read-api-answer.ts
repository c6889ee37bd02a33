import { metaSchema } from '@stagecraft/spec'
import type { Operation } from '@stagecraft/spec/api'
import { connectionFailed, notOfService } from '../transport/connection-failed.ts'
import type { ReadResponse } from '../transport/exchange.ts'
import { parseJson } from '../transport/parse-json.ts'
import { findFault } from './find-fault.ts'
import type { AnyAnswer } from './operation-answer.ts'

// Its `backend` is a text that may be missing, as a cursor is.
const apiMetaSchema = metaSchema.extend({ nextCursor: metaSchema.shape.backend })

/** @throws {StagecraftError} CONNECTION_FAILED for anything but an answer of this operation. */
export function readApiAnswer(response: ReadResponse, operation: Operation, host: string): AnyAnswer {
  if (operation.media !== undefined) return { data: readFile(response, operation.media, host) }
  const body = parseJson(response) as { success?: unknown; data?: unknown; meta?: unknown } | null | undefined
  const meta = apiMetaSchema.safeParse(body?.meta)
  if (body?.success !== true || !operation.data || !meta.success) throw notOfService(host, response.status)
  const fault = findFault(body.data, operation.data)
  if (fault === undefined) return { data: body.data, meta: meta.data }
  const place = fault === '' ? 'data' : `data.${fault}`
  throw connectionFailed(host, `status ${response.status} with ${place} not as the interface says`)
}

function readFile({ bytes, contentType, status }: ReadResponse, media: string, host: string): unknown {
  const [expected = ''] = media.split(';')
  if (contentType !== expected)
    throw connectionFailed(
      host,
      `status ${status} with ${contentType || 'no media type'} and not ${expected}`,
    )
  // As it is: a file may begin with a byte order mark.
  return expected.startsWith('text/') ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) : bytes
}
