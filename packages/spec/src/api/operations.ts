import { CONNECTION_OPERATIONS } from './connections.ts'
import { EVENT_OPERATIONS } from './events.ts'
import { GENERATION_OPERATIONS } from './generations.ts'
import { KEY_OPERATIONS } from './keys.ts'
import type { Handler } from './operation.ts'
import { PROJECT_OPERATIONS } from './projects.ts'
import { PUSH_OPERATIONS } from './pushes.ts'
import { SCAN_OPERATIONS } from './scans.ts'
import { UNIT_OPERATIONS } from './units.ts'
import { WEBHOOK_OPERATIONS } from './webhooks.ts'

/** The operations by what they are about. */
export const API_GROUPS = {
  Projects: PROJECT_OPERATIONS,
  Keys: KEY_OPERATIONS,
  Connections: CONNECTION_OPERATIONS,
  Scans: SCAN_OPERATIONS,
  Units: UNIT_OPERATIONS,
  Generations: GENERATION_OPERATIONS,
  Pushes: PUSH_OPERATIONS,
  Events: EVENT_OPERATIONS,
  Webhooks: WEBHOOK_OPERATIONS,
} as const

/** Every operation under `/v1`, by its id. A new one has no handler yet, and does not compile. */
export const API_OPERATIONS = {
  ...PROJECT_OPERATIONS,
  ...KEY_OPERATIONS,
  ...CONNECTION_OPERATIONS,
  ...SCAN_OPERATIONS,
  ...UNIT_OPERATIONS,
  ...GENERATION_OPERATIONS,
  ...PUSH_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
}

export type ApiOperations = typeof API_OPERATIONS
export type OperationId = keyof ApiOperations

/** The handlers of the interface, one for each operation. */
export type ApiHandlers = { readonly [Id in OperationId]: Handler<ApiOperations[Id]> }
