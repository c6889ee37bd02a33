export { type ConnectionResource } from './connections.ts'
export {
  EVENT_DATA,
  EVENT_KIND_NAMES,
  EVENT_KINDS,
  type EventData,
  type EventKind,
  type EventRecord,
  eventSchema,
  type EventType,
} from './events.ts'
export { exampleEvent } from './event-examples.ts'
export { apiMetaSchema, JOB_STATES, type JobState } from './fields.ts'
export {
  type GenerationRecord,
  type StoredGenerationRequest,
  storedGenerationRequestSchema,
} from './generations.ts'
export { type KeyResource, type KeySecret } from './keys.ts'
export {
  type Call,
  type Caller,
  type Deprecation,
  type Handler,
  type Operation,
  type Reply,
  type Scope,
  SCOPES,
} from './operation.ts'
export {
  API_GROUPS,
  API_OPERATIONS,
  type ApiHandlers,
  type ApiOperations,
  type OperationId,
} from './operations.ts'
export {
  type OperationBody,
  type OperationData,
  type OperationParams,
  type OperationQuery,
} from './operation-types.ts'
export { type ProjectResource } from './projects.ts'
export { type PushResource } from './pushes.ts'
export { API_SCHEMAS } from './resources.ts'
export { type ScanChanges, type ScanResource, type SourceResource } from './scans.ts'
export { type UnitResource } from './units.ts'
export {
  DELIVERY_STATES,
  type DeliveryAttempt,
  type DeliveryDetail,
  type DeliveryResource,
  type DeliveryState,
  type DeliveryTrigger,
  type WebhookResource,
  type WebhookState,
} from './webhooks.ts'
