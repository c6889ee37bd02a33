import type { FastifyReply } from 'fastify'
import { ClientGone } from '../generate/client-gone.ts'

/** Aborts when the connection ends before the answer does. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new ClientGone())
  })
  return gone.signal
}
