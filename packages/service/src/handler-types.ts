import type { ApiOperations, Call, Reply } from '@stagecraft/spec/api'

/** What a handler of an operation gets, past its key and its schemas. */
export type CallOf<Id extends keyof ApiOperations> = Call<ApiOperations[Id]>

export type ReplyOf<Id extends keyof ApiOperations> = Promise<Reply<ApiOperations[Id]>>
