import type { ApiOperations, Call, Reply } from '@stagecraft/spec/api'

/** The call that a handler gets, after its key and its schemas were checked. */
export type CallOf<Id extends keyof ApiOperations> = Call<ApiOperations[Id]>

export type ReplyOf<Id extends keyof ApiOperations> = Promise<Reply<ApiOperations[Id]>>
