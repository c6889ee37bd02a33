import type { Meta } from '@stagecraft/spec'
import type { ApiOperations, OperationData, OperationId } from '@stagecraft/spec/api'

/** The `meta` of an answer. */
export interface ApiMeta extends Meta {
  /** The cursor of the next page of a list. */
  readonly nextCursor?: string | undefined
}

/**
 * The result of an operation: its data or, for files, text or bytes. It may have members newer than this
 * client.
 */
export type DataOf<Id extends OperationId> = ApiOperations[Id] extends { readonly media: infer Media }
  ? Media extends `text/${string}`
    ? string
    : Uint8Array<ArrayBuffer>
  : OperationData<Id>

/** The result of `call`; files come without `meta`. */
export type OperationAnswer<Id extends OperationId> = ApiOperations[Id] extends { readonly media: string }
  ? { readonly data: DataOf<Id> }
  : { readonly data: DataOf<Id>; readonly meta: ApiMeta }

/** The same, for an operation that is known only at run time. */
export interface AnyAnswer {
  readonly data: unknown
  readonly meta?: ApiMeta
}
