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

/** True if an operation addresses something inside a project. */
type IsInProject<One extends Operation> = One['path'] extends `/v1/projects/{projectId}/${string}`
  ? true
  : false

type ParamsInput<One extends Operation> =
  IsInProject<One> extends true ? Omit<OperationParams<One>, 'projectId'> : OperationParams<One>

type Required<Name extends string, Value> = { readonly [Key in Name]: Value }
type Optional<Name extends string, Value> = { readonly [Key in Name]?: Value | undefined }

type ParamsPart<One extends Operation> = keyof ParamsInput<One> extends never
  ? unknown
  : Required<'params', ParamsInput<One>>

type QueryPart<One extends Operation> = One extends { readonly query: object }
  ? Optional<'query', OperationQuery<One>>
  : unknown

type BodyPart<One extends Operation> = One extends { readonly body: object }
  ? One extends { readonly isBodyOptional: true }
    ? Optional<'body', OperationBody<One>>
    : Required<'body', OperationBody<One>>
  : unknown

/** The options of a call besides its subject. Each kind has a name of its own, so that editors show it. */
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
export type OperationInput<Id extends OperationId> = ParamsPart<ApiOperations[Id]> &
  QueryPart<ApiOperations[Id]> &
  BodyPart<ApiOperations[Id]> &
  OperationOptions<ApiOperations[Id]>

/** The same, where the operation is known only when it runs. */
export interface AnyInput extends ProjectCreationOptions, ProjectUpdateOptions {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: object | undefined
  readonly body?: unknown
}
