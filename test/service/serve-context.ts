// The service over a store of a test, on a real port.
import { type AppOptions, createApp } from '@stagecraft/http'
import { onTestFinished } from 'vitest'
import type { ServiceContext } from '../../packages/service/src/context.ts'
import { createHandlers } from '../../packages/service/src/service.ts'
import { storedEngine } from '../../packages/service/src/generations/stored-engine.ts'
import { storedIdempotency } from '../../packages/service/src/idempotency/stored-idempotency.ts'
import { storedKeys } from '../../packages/service/src/keys/keys.ts'
import { createProject } from '../../packages/service/src/projects/insert-project.ts'
import { serviceMcp } from '../../packages/service/src/talk/service-mcp.ts'
import { storedSessions } from '../../packages/service/src/sessions/sessions.ts'

export interface ServedContext {
  readonly url: string
  readonly app: ReturnType<typeof createApp>
}

/** Serves `/v1` until the test is over; answers are held against their schemas. */
export async function serveContext(
  context: ServiceContext,
  options: Pick<AppOptions, 'limits'> = {},
): Promise<ServedContext> {
  const app = createApp({
    ...options,
    mcp: serviceMcp(context, { version: '0.1.0', deadlineMs: 600_000 }),
    engine: storedEngine(context),
    keys: storedKeys(context),
    api: {
      handlers: createHandlers(context),
      idempotency: storedIdempotency(context),
      sessions: storedSessions(context),
      checkAnswers: true,
    },
  })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
    await context.catalogs.close()
  })
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) }
}

/** A project with a key of all scopes, in clear text. */
export async function addProjectWithKey(context: ServiceContext, name = 'Shop') {
  const { key, project } = await createProject({ name }, context)
  return { projectId: project.id, keyId: key.row.id, secret: key.secret }
}
