export {
  type CallOptions,
  type CreationOptions,
  type ProjectCreationOptions,
  type ProjectOptions,
  type ProjectUpdateOptions,
  type UpdateOptions,
} from './call-options.ts'
export { type Client, createClient } from './client.ts'
export { type Answer } from './generate/read-generation.ts'
export { type List, type Page } from './api/list.ts'
export { type ApiMeta, type DataOf, type OperationAnswer } from './api/operation-answer.ts'
export { type OperationInput } from './api/operation-input.ts'
export { type ClientOptions } from './options.ts'
