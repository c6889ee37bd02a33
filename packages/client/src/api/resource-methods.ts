import type {
  ApiOperations,
  ChangeMessage,
  OperationBody,
  OperationId,
  OperationQuery,
  TalkMessage,
} from '@stagecraft/spec/api'
import type { List } from './list.ts'
import type { DataOf } from './operation-answer.ts'
import type { OperationOptions } from './operation-input.ts'
import type { JobId, ListId, ResourceTable, Row, SingleId, StreamId } from './resources.ts'

type Label<Name extends string> = Name extends 'path*'
  ? [path: string]
  : Name extends 'name'
    ? [name: string]
    : [id: string]

type Subjects<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [...subject: Label<Name>, ...others: Subjects<Rest>]
  : []

type SubjectsOf<Path extends string> = Path extends `/v1/projects/{projectId}/${infer Rest}`
  ? Subjects<Rest>
  : Subjects<Path>

type InputOf<Id extends OperationId> = ApiOperations[Id] extends { readonly body: object }
  ? ApiOperations[Id] extends { readonly isBodyOptional: true }
    ? [body?: OperationBody<Id> | undefined]
    : [body: OperationBody<Id>]
  : ApiOperations[Id] extends { readonly query: object }
    ? [query?: OperationQuery<Id> | undefined]
    : []

/** The parameters of a method: the ids in its path, then its body or query, then options. */
type ParametersOf<Id extends OperationId> = [
  ...subjects: SubjectsOf<ApiOperations[Id]['path']>,
  ...input: InputOf<Id>,
  options?: OperationOptions<ApiOperations[Id]>,
]

type ItemOf<Id extends ListId> = DataOf<Id> extends { readonly items: readonly (infer Item)[] } ? Item : never

/** The messages of a stream. */
type MessageOf<Id extends StreamId> = {
  readonly streamChanges: ChangeMessage
  readonly getMessageEvents: TalkMessage
}[Id]

type Method<Place extends Row> = Place extends SingleId
  ? (...parameters: ParametersOf<Place>) => Promise<DataOf<Place>>
  : Place extends { readonly pages: infer Id extends ListId }
    ? (...parameters: ParametersOf<Id>) => List<ItemOf<Id>>
    : Place extends { readonly waits: infer Id extends JobId }
      ? (...parameters: ParametersOf<Id>) => Promise<DataOf<Id>>
      : Place extends { readonly streams: infer Id extends StreamId }
        ? (...parameters: ParametersOf<Id>) => AsyncIterable<MessageOf<Id>>
        : never

/** The methods of every resource. */
export type Resources = {
  readonly [Resource in keyof ResourceTable]: {
    readonly [
      Name in keyof ResourceTable[Resource]
    ]: ResourceTable[Resource][Name] extends infer Place extends Row ? Method<Place> : never
  }
}
