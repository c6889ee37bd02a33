import type { FastifyInstance } from 'fastify'

/** `GET /metrics`, as Prometheus reads it. Open, like health: its counters are not secret. */
export function addMetricsRoute(app: FastifyInstance, metrics: () => Promise<string>): void {
  app.get('/metrics', async (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(await metrics()),
  )
}
