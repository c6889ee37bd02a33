export { addConnection, type NewConnection } from './connections/connection-handlers.ts'
export { type ServiceContext, type ServiceLogger, type ServiceSettings } from './context.ts'
export { deliveryDepth, type DeliveryDepth } from './delivery/run-deliveries.ts'
export { jobDepth, type JobDepth } from './store/claims.ts'
export { type DeliveryFact, type DeliveryMetrics } from './delivery/deliveries-options.ts'
export { pushFiles } from './git/push-files.ts'
export {
  type GitCredentials,
  type PushedFile,
  type PushFile,
  type PushOptions,
  type PushOutcome,
  type PushPolicy,
} from './git/push-options.ts'
export { storedEngine, type StoredEngine, type StoredRunOptions } from './generations/stored-engine.ts'
export { type StoredAnswer, storedIdempotency } from './idempotency/stored-idempotency.ts'
export { createProjectKey, listAllKeys, type ProjectKeyRequest, revokeAnyKey } from './keys/keys.ts'
export { storedKeys, type StoredKeyHolder } from './keys/keys.ts'
export { storedRateLimiter, type StoredRateLimiterOptions } from './limits/stored-rate-limiter.ts'
export {
  closeContext,
  createHandlers,
  openContext,
  type ServiceOptions,
  type ServiceStoreOptions,
  startWork,
  type Work,
} from './service.ts'
export { ensureFirstProject, type FirstProjectOptions } from './projects/insert-project.ts'
export { type Resealed, resealSecrets } from './secrets/reseal-secrets.ts'
export { loadKeys, type LoadKeysOptions } from './secrets/load-keys.ts'
export { createSignInCode } from './sessions/sessions.ts'
export { storedSessions } from './sessions/sessions.ts'
export { checkStore } from './store/open-store.ts'
export { type McpCall, type ServiceMcp, serviceMcp } from './talk/service-mcp.ts'
