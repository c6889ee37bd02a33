import type { FastifyInstance } from 'fastify'
import { printDocsPage } from '../docs/docs-page.ts'
import { createDocument, type DocumentOptions } from '../document/document.ts'

/** `/openapi.json`, and the same for people at `/docs`. Both are made when they are first asked for. */
export function addDocumentRoutes(app: FastifyInstance, options: DocumentOptions): void {
  let json: string | undefined
  let page: string | undefined
  app.get('/openapi.json', (_request, reply) => {
    json ??= JSON.stringify(createDocument(options))
    return reply.header('content-type', 'application/json; charset=utf-8').send(json)
  })
  app.get('/docs', (_request, reply) => {
    page ??= printDocsPage(createDocument(options))
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'")
      .header('x-content-type-options', 'nosniff')
      .send(page)
  })
}
