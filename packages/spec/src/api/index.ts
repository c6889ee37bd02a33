export { CHANGE_KINDS, type ChangeKind } from './changes.ts'
export {
  EVENT_DATA,
  EVENT_KIND_NAMES,
  EVENT_KINDS,
  type EventData,
  type EventKind,
  eventSchema,
} from './events.ts'
export { exampleEvent } from './event-examples.ts'
export { apiMetaSchema, JOB_STATES, type JobState } from './fields.ts'
export { storedGenerationRequestSchema } from './generations.ts'
export {
  type Access,
  type Call,
  type Caller,
  type Deprecation,
  type Handler,
  type Operation,
  type Reply,
  type Scope,
  SCOPES,
  type SessionCookie,
  type StreamMessage,
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
export { type FindingSeverity, type FindingState } from './analyses.ts'
export { type UnitChange, type UnitState } from './units.ts'
export { API_SCHEMAS } from './resources.ts'
export { DELIVERY_STATES, type DeliveryState, type DeliveryTrigger } from './deliveries.ts'
export { type WebhookState } from './webhooks.ts'
export { type ApiData } from './operation-data.ts'
export { type ApiBodies, type ApiQueries } from './operation-inputs.ts'
export {
  type AskedBy,
  type ConnectionResource,
  type ConnectionTest,
  type DeletedResource,
  type GenerationRecord,
  type ComparedGeneration,
  type UnitFilter,
  type GenerationWarning,
  type JobFailure,
  type KeyResource,
  type KeySecret,
  type ProjectConfig,
  type ProjectResource,
  type ScanChanges,
  type ScanResource,
  type SessionResource,
  type AuditEntry,
  type SourceResource,
  type SuggestionRecord,
  type StoredGenerationRequest,
  type UnitResource,
  type BatchProgress,
  type ConnectionOutcome,
  type FileRecord,
  type GitInput,
  type GitSettings,
  type ScanProgress,
  type StoredGenerationOptions,
} from './types.ts'
export {
  type ActivityResource,
  type DeliveryAttempt,
  type DeliveryDetail,
  type DeliveryRequest,
  type DeliveryResource,
  type ChangeMessage,
  type EventRecord,
  type EventType,
  type WebhookResource,
} from './webhook-types.ts'
export {
  type FileConflict,
  type KeptFile,
  type PlannedFile,
  type PlannedPushResource,
  type PlannedTable,
  type PushPlan,
  type PushResource,
  type PushedFile,
  type SkippedPart,
} from './push-types.ts'
export {
  type AnalysisDetail,
  type AnalysisProgress,
  type AnalysisResource,
  type AnalysisScore,
  type FindingCounts,
  type FindingFix,
  type FindingResource,
  type NotChecked,
} from './analysis-types.ts'
export {
  type AssistantSettings,
  type CitationRecord,
  type ConversationResource,
  type MessageResource,
  type ProposalResource,
  type ProposedFileRecord,
  type TalkAnswer,
  type TalkMessage,
  type TalkUsage,
} from './assistant-types.ts'
