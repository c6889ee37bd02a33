import type { Operation } from '@stagecraft/spec/api'
import type { Address } from './address.ts'

/** A response that was read to its end. */
export interface ReadResponse {
  readonly status: number
  /** Without its parameters, in small letters; empty when there is none. */
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** One request, and how its answer is read. */
export interface Exchange<Answer> {
  readonly method: Operation['method']
  readonly address: Address
  /** With the query, beginning with a slash. */
  readonly path: string
  /** Beyond the key and what the body calls for. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body?: string | undefined
  /** True if the service may receive it twice; otherwise it is sent again only if it never arrived. */
  readonly mayRepeat: boolean
  /** The data of a success; it throws for an answer that does not match the interface. */
  readonly read: (response: ReadResponse) => Answer
}
