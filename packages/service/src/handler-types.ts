import type { ApiOperations, Call, Reply } from '@stagecraft/spec/api'

/** A call after its key and its input were checked. */
export type CallOf<Id extends keyof ApiOperations> = Call<ApiOperations[Id]>

export type ReplyOf<Id extends keyof ApiOperations> = Promise<Reply<ApiOperations[Id]>>
