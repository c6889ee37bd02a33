import type { Operation } from '@stagecraft/spec/api'
import type { Address } from './address.ts'

/** A response with its complete body. */
export interface ReadResponse {
  readonly status: number
  /** Without parameters, in lower case; empty if there is none. */
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A request and the reader of its answer. */
export interface Exchange<Answer> {
  readonly method: Operation['method']
  readonly address: Address
  /** The path with its query, starting with a slash. */
  readonly path: string
  /** Headers besides the key and those of the body. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body?: string | undefined
  /** True if the service may receive it twice; otherwise it is sent again only if it never arrived. */
  readonly mayRepeat: boolean
  /** Returns the data of a success; throws for an answer that does not match the interface. */
  readonly read: (response: ReadResponse) => Answer
}
