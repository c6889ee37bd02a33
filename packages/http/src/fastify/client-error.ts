import { StagecraftError } from '@stagecraft/spec'
import type { Socket } from 'node:net'
import { failure } from '../answers/answer.ts'
import type { Setup } from '../options.ts'

interface ClientErrorSetup {
  readonly socket: Socket
  readonly setup: Pick<Setup, 'ids' | 'logger'>
}

const EXPECTED: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'headers of at most 16 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'the whole request within a minute',
}

/** Answers bytes that are not HTTP, for which there is no request and no reply, and ends the connection. */
export function answerClientError(
  error: Error & { readonly code?: string },
  { setup: { ids, logger }, socket }: ClientErrorSetup,
): void {
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesWritten > 0
  if (error.code === 'ECONNRESET' || !socket.writable || isLate) {
    socket.destroy()
    return
  }
  const requestId = ids.next('req')
  const expected = EXPECTED[error.code ?? ''] ?? 'a request in HTTP/1.1'
  logger.info({ requestId, code: error.code }, 'not a request')
  const { body, headers } = failure(
    StagecraftError.invalid([{ path: '', expected, received: 'something else' }], { subject: 'the request' }),
    requestId,
  )
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 400 Bad Request\r\n${head}\r\n${body}`)
}
