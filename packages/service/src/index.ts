export { addConnection, type NewConnection } from './connections/add-connection.ts'
export { type ServiceContext, type ServiceLogger, type ServiceSettings } from './context.ts'
export { createHandlers } from './create-handlers.ts'
export { deliveryDepth, type DeliveryDepth } from './delivery/delivery-depth.ts'
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
export { createProjectKey, listAllKeys, type ProjectKeyRequest, revokeAnyKey } from './keys/operator-keys.ts'
export { storedKeys, type StoredKeyHolder } from './keys/stored-keys.ts'
export { storedRateLimiter, type StoredRateLimiterOptions } from './limits/stored-rate-limiter.ts'
export { closeContext, openContext, type ServiceOptions, type ServiceStoreOptions } from './open-context.ts'
export { ensureFirstProject, type FirstProjectOptions } from './projects/insert-project.ts'
export { loadKeys, type LoadKeysOptions } from './secrets/load-keys.ts'
export { startWork, type Work } from './start-work.ts'
export { checkStore } from './store/check-store.ts'
