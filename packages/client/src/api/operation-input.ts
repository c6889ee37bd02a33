import type {
  ApiOperations,
  Operation,
  OperationBody,
  OperationId,
  OperationParams,
  OperationQuery,
} from '@stagecraft/spec/api'
import type {
  CallOptions,
  CreationOptions,
  ProjectCreationOptions,
  ProjectOptions,
  ProjectUpdateOptions,
  UpdateOptions,
} from '../call-options.ts'

/** True if an operation belongs to a project. */
type IsInProject<One extends Operation> = One['path'] extends `/v1/projects/{projectId}/${string}`
  ? true
  : false

type ParamsInput<Id extends OperationId> =
  IsInProject<ApiOperations[Id]> extends true ? Omit<OperationParams<Id>, 'projectId'> : OperationParams<Id>

type Required<Name extends string, Value> = { readonly [Key in Name]: Value }
type Optional<Name extends string, Value> = { readonly [Key in Name]?: Value | undefined }

type ParamsPart<Id extends OperationId> = keyof ParamsInput<Id> extends never
  ? unknown
  : Required<'params', ParamsInput<Id>>

type QueryPart<Id extends OperationId> = ApiOperations[Id] extends { readonly query: object }
  ? Optional<'query', OperationQuery<Id>>
  : unknown

type BodyPart<Id extends OperationId> = ApiOperations[Id] extends { readonly body: object }
  ? ApiOperations[Id] extends { readonly isBodyOptional: true }
    ? Optional<'body', OperationBody<Id>>
    : Required<'body', OperationBody<Id>>
  : unknown

/** The options of a call besides its subject. Each kind has its own name, so that editors show it. */
export type OperationOptions<One extends Operation> = One extends { readonly isCreation: true }
  ? IsInProject<One> extends true
    ? ProjectCreationOptions
    : CreationOptions
  : One extends { readonly method: 'PATCH'; readonly hasVersion: true }
    ? IsInProject<One> extends true
      ? ProjectUpdateOptions
      : UpdateOptions
    : IsInProject<One> extends true
      ? ProjectOptions
      : CallOptions

/** The input of `call` for an operation. */
export type OperationInput<Id extends OperationId> = ParamsPart<Id> &
  QueryPart<Id> &
  BodyPart<Id> &
  OperationOptions<ApiOperations[Id]>

/** The same, for an operation that is known only at run time. */
export interface AnyInput extends ProjectCreationOptions, ProjectUpdateOptions {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: object | undefined
  readonly body?: unknown
}
