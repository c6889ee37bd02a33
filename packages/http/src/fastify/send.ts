import type { FastifyReply } from 'fastify'
import type { Answer } from '../answers/answer.ts'

/** An answer that may also be a file, or nothing but headers. */
export interface Sendable extends Omit<Answer, 'body'> {
  readonly body: string | Uint8Array | undefined
}

export function send(reply: FastifyReply, { body, headers, status }: Sendable): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}
