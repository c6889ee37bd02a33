import type { FastifyReply } from 'fastify'
import type { Answer } from '../answers/answer.ts'

export function send(reply: FastifyReply, { body, headers, status }: Answer): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}
