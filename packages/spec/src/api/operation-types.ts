import type { ParameterOf } from './operation.ts'
import type { ApiOperations, OperationId } from './operations.ts'
import type { ApiData } from './operation-data.ts'
import type { ApiBodies, ApiQueries } from './operation-inputs.ts'

/** The parameters in the path of an operation. */
export type OperationParams<Id extends OperationId> = {
  readonly [Name in ParameterOf<ApiOperations[Id]['path']>]: string
}

/** The query as a program passes it: numbers are numbers, and members with a default are optional. */
export type OperationQuery<Id extends OperationId> = Id extends keyof ApiQueries ? ApiQueries[Id] : undefined

/** The body as a program passes it. */
export type OperationBody<Id extends OperationId> = Id extends keyof ApiBodies ? ApiBodies[Id] : undefined

/** The `data` of the answer; undefined if it is bytes. */
export type OperationData<Id extends OperationId> = Id extends keyof ApiData ? ApiData[Id] : undefined
