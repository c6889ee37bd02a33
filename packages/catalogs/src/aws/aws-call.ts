import type { Json } from '../dbt/json.ts'
import type { AwsService } from './services.ts'

/** Calls an operation of a service, such as `AWSGlue.GetTables`, and returns its answer. */
export type AskAws = (call: AwsCall, signal?: AbortSignal) => Promise<Json>

export interface AwsCall {
  readonly service: AwsService
  /** As `X-Amz-Target` names it; of a service that is asked by forms the name of the action. */
  readonly target: string
  /** Texts alone for a form. */
  readonly input: Json
}
