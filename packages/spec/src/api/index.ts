export { type ConnectionResource } from './connections.ts'
export { EVENT_EXAMPLES } from './event-examples.ts'
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
export { JOB_STATES, type JobState } from './fields.ts'
export {
  type GenerationRecord,
  type StoredGenerationRequest,
  storedGenerationRequestSchema,
} from './generations.ts'
export { type KeyResource, type KeySecret } from './keys.ts'
export {
  type Call,
  type Caller,
  type Handler,
  type Operation,
  type Reply,
  type Scope,
  SCOPES,
} from './operation.ts'
export { API_OPERATIONS, type ApiHandlers, type ApiOperations, type OperationId } from './operations.ts'
export { type ProjectResource } from './projects.ts'
export { type PushResource } from './pushes.ts'
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
