export { attemptDelivery, type AttemptOptions, type DeliveryResult } from './delivery/attempt-delivery.ts'
export {
  createDeliveryAgent,
  type DeliveryAgent,
  type DeliveryAgentOptions,
} from './delivery/delivery-agent.ts'
export { DELIVERY_FAILURES, type DeliveryFailure } from './delivery/failure.ts'
export { guardedFetch } from './delivery/guarded-fetch.ts'
export {
  guardedNetwork,
  type GuardedNetwork,
  type GuardedNetworkOptions,
} from './delivery/guarded-network.ts'
export { headerFaults } from './delivery/header-faults.ts'
export { requestHeaders } from './delivery/request-headers.ts'
export {
  type EndpointResolution,
  resolveEndpoint,
  type ResolveEndpointOptions,
} from './delivery/resolve-endpoint.ts'
export { type Lookup, type ResolvedAddress } from './delivery/resolve-host.ts'
export { isPublicAddress } from './endpoint/address.ts'
export {
  checkEndpointUrl,
  ENDPOINT_PROBLEMS,
  isLocalName,
  type EndpointCheck,
  type EndpointProblem,
} from './endpoint/check-endpoint-url.ts'
export { DEFAULT_NETWORKS, type Networks } from './endpoint/networks.ts'
export { type DeliveryPolicy } from './endpoint/policy.ts'
export { type PortRange } from './endpoint/ports.ts'
export { type Delivery, signDelivery, type SignatureHeaders } from './sign-delivery.ts'
export { secretFault } from './verify/secret.ts'
