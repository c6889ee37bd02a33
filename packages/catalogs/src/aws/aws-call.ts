import type { Json } from '../dbt/json.ts'
import type { AwsService } from './services.ts'

/** Calls an operation of a service, such as `AWSGlue.GetTables`, and returns its answer. */
export type AskAws = (call: AwsCall, signal?: AbortSignal) => Promise<Json>

export interface AwsCall {
  readonly service: AwsService
  /** As in `X-Amz-Target`; for a service with forms, the name of the action. */
  readonly target: string
  /** Only texts for a form. */
  readonly input: Json
}
