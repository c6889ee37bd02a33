import { ACTIVITY_OPERATIONS } from './activity.ts'
import { ANALYSIS_OPERATIONS } from './analyses.ts'
import { AUDIT_OPERATIONS } from './audit.ts'
import { CHANGE_OPERATIONS } from './changes.ts'
import { ASSISTANT_OPERATIONS } from './assistant.ts'
import { CONNECTION_OPERATIONS } from './connections.ts'
import { EVENT_OPERATIONS } from './events.ts'
import { DELIVERY_OPERATIONS } from './deliveries.ts'
import { GENERATION_OPERATIONS } from './generations.ts'
import { KEY_OPERATIONS } from './keys.ts'
import type { Handler } from './operation.ts'
import { PROJECT_OPERATIONS } from './projects.ts'
import { PUSH_OPERATIONS } from './pushes.ts'
import { SCAN_OPERATIONS } from './scans.ts'
import { SESSION_OPERATIONS } from './sessions.ts'
import { UNIT_OPERATIONS } from './units.ts'
import { WEBHOOK_OPERATIONS } from './webhooks.ts'

// The types are written as `typeof`, because inferred ones are printed in full into the package, about a megabyte.

interface ApiGroups {
  readonly Projects: typeof PROJECT_OPERATIONS
  readonly Keys: typeof KEY_OPERATIONS
  readonly Sessions: typeof SESSION_OPERATIONS
  readonly 'Audit log': typeof AUDIT_OPERATIONS
  readonly Activity: typeof ACTIVITY_OPERATIONS
  readonly Connections: typeof CONNECTION_OPERATIONS
  readonly Scans: typeof SCAN_OPERATIONS
  readonly Units: typeof UNIT_OPERATIONS
  readonly Generations: typeof GENERATION_OPERATIONS
  readonly Pushes: typeof PUSH_OPERATIONS
  readonly Analyses: typeof ANALYSIS_OPERATIONS
  readonly Changes: typeof CHANGE_OPERATIONS
  readonly Assistant: typeof ASSISTANT_OPERATIONS
  readonly Events: typeof EVENT_OPERATIONS
  readonly Webhooks: typeof WEBHOOK_OPERATIONS
  readonly Deliveries: typeof DELIVERY_OPERATIONS
}

/** The operations by topic. */
export const API_GROUPS: ApiGroups = {
  Projects: PROJECT_OPERATIONS,
  Keys: KEY_OPERATIONS,
  Sessions: SESSION_OPERATIONS,
  'Audit log': AUDIT_OPERATIONS,
  Activity: ACTIVITY_OPERATIONS,
  Connections: CONNECTION_OPERATIONS,
  Scans: SCAN_OPERATIONS,
  Units: UNIT_OPERATIONS,
  Generations: GENERATION_OPERATIONS,
  Pushes: PUSH_OPERATIONS,
  Analyses: ANALYSIS_OPERATIONS,
  Changes: CHANGE_OPERATIONS,
  Assistant: ASSISTANT_OPERATIONS,
  Events: EVENT_OPERATIONS,
  Webhooks: WEBHOOK_OPERATIONS,
  Deliveries: DELIVERY_OPERATIONS,
}

export type ApiOperations = typeof PROJECT_OPERATIONS &
  typeof KEY_OPERATIONS &
  typeof SESSION_OPERATIONS &
  typeof AUDIT_OPERATIONS &
  typeof ACTIVITY_OPERATIONS &
  typeof CONNECTION_OPERATIONS &
  typeof SCAN_OPERATIONS &
  typeof UNIT_OPERATIONS &
  typeof GENERATION_OPERATIONS &
  typeof PUSH_OPERATIONS &
  typeof ANALYSIS_OPERATIONS &
  typeof CHANGE_OPERATIONS &
  typeof ASSISTANT_OPERATIONS &
  typeof EVENT_OPERATIONS &
  typeof WEBHOOK_OPERATIONS &
  typeof DELIVERY_OPERATIONS

/** Every operation under `/v1`, by id. A new one without a handler does not compile. */
export const API_OPERATIONS: ApiOperations = {
  ...PROJECT_OPERATIONS,
  ...KEY_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...AUDIT_OPERATIONS,
  ...ACTIVITY_OPERATIONS,
  ...CONNECTION_OPERATIONS,
  ...SCAN_OPERATIONS,
  ...UNIT_OPERATIONS,
  ...GENERATION_OPERATIONS,
  ...PUSH_OPERATIONS,
  ...ANALYSIS_OPERATIONS,
  ...CHANGE_OPERATIONS,
  ...ASSISTANT_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...DELIVERY_OPERATIONS,
}

export type OperationId = keyof ApiOperations

/** The handlers of the interface, one for each operation. */
export type ApiHandlers = { readonly [Id in OperationId]: Handler<ApiOperations[Id]> }
