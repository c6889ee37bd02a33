import type { ApiHandlers } from '@stagecraft/spec/api'
import { connectionHandlers } from './connections/connection-handlers.ts'
import { eventHandlers } from './events/event-handlers.ts'
import { generationHandlers } from './generations/generation-handlers.ts'
import { keyHandlers } from './keys/key-handlers.ts'
import { projectHandlers } from './projects/project-handlers.ts'
import { pushHandlers } from './pushes/push-handlers.ts'
import { scanHandlers } from './scans/scan-handlers.ts'
import { sourceHandlers } from './sources/source-handlers.ts'
import { unitHandlers } from './units/unit-handlers.ts'
import { webhookHandlers } from './webhooks/webhook-handlers.ts'
import type { ServiceContext } from './context.ts'

/** Creates the handlers of the interface. */
export function createHandlers(context: ServiceContext): ApiHandlers {
  return {
    ...projectHandlers(context),
    ...keyHandlers(context),
    ...connectionHandlers(context),
    ...scanHandlers(context),
    ...sourceHandlers(context),
    ...unitHandlers(context),
    ...generationHandlers(context),
    ...pushHandlers(context),
    ...eventHandlers(context),
    ...webhookHandlers(context),
  }
}
