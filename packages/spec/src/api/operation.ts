import type { z } from '../zod.ts'
import type { ErrorCode } from '../errors.ts'

/** The permissions of a key. `admin` is for resources with secrets: connections, Git credentials, keys. */
export const SCOPES = ['generate', 'read', 'write', 'webhooks', 'admin'] as const

export type Scope = (typeof SCOPES)[number]

/** The permission that an operation needs: a scope, `any` key of a project, or `none`, for the sign-in. */
export type Access = Scope | 'any' | 'none'

/** One operation of the interface under `/v1`. Routes, document and client are derived from it. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path with parameters in braces; `{path*}` matches the rest, including slashes. */
  readonly path: `/v1/${string}`
  readonly scope: Access
  /** In the imperative, without a period. */
  readonly summary: string
  readonly description?: string
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** True if the request may omit its body, which then counts as `{}`. Default false. */
  readonly isBodyOptional?: true
  /** Example bodies by purpose. Present with a body. */
  readonly examples?: Readonly<Record<string, unknown>>
  /** The `data` of the success envelope; undefined if the answer is bytes. */
  readonly data?: z.ZodType
  /** The media type of an answer that is bytes instead of an envelope. */
  readonly media?: string
  /** The data of each message, if the answer is a stream of server-sent events. */
  readonly message?: z.ZodType
  /** The `event` that ends a stream, after which clients must not reconnect. Default: the stream has no end. */
  readonly lastEvents?: readonly string[]
  /** @default 200 */
  readonly status?: 200 | 201 | 202
  /** Another success status with the same data, and its meaning. Default: none. */
  readonly otherStatus?: { readonly status: 200; readonly when: string }
  /** True if `data` is `{ items }` and `meta` may have `nextCursor`. Default false. */
  readonly isList?: true
  /** True if it accepts an `Idempotency-Key`. Default false. */
  readonly isCreation?: true
  /**
   * True if it addresses one resource with a version: an answer with `data.version` has it as `ETag`, a GET
   * takes `If-None-Match`, PATCH and DELETE take `If-Match`. Default false.
   */
  readonly hasVersion?: true
  /**
   * The address of the created resource: the path of a GET in which `{id}` is `data.id`, and the rest is as
   * in the request.
   */
  readonly location?: `/v1/${string}`
  /**
   * The operation whose stream a client may get in place of the answer, by `Accept: text/event-stream`. Its
   * path has one more parameter, which is `data.id`.
   */
  readonly stream?: string
  /** The date of its deprecation. Default: not deprecated. */
  readonly deprecated?: Deprecation
  /** Failures beyond those of every operation: UNAUTHORIZED, FORBIDDEN, NOT_FOUND, RATE_LIMITED, INVALID_REQUEST. */
  readonly failures?: readonly ErrorCode[]
}

/** The deprecation of an operation, as shown in its answers. Dates are in UTC, such as `2026-11-21`. */
export interface Deprecation {
  readonly since: string
  /** The date from which it may be removed. */
  readonly sunset: string
  /** The path of its replacement. */
  readonly successor?: `/v1/${string}`
}

/** The key of a request. A key belongs to one project. */
export interface Caller {
  readonly keyId: string
  readonly projectId: string
  readonly scopes: readonly string[]
  /** The dashboard session that replaces the key. Default: the key itself was sent. */
  readonly sessionId?: string
}

/** The cookie of a session, as a sign-in sets it. */
export interface SessionCookie {
  /** Known only to the browser; the store has its hash. */
  readonly token: string
  readonly maxAgeSeconds: number
}

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** Returns the success statuses of an operation, as the document lists them. */
type StatusOf<One extends Operation> =
  | (One extends { readonly status: infer Status extends number } ? Status : 200)
  | (One extends { readonly otherStatus: { readonly status: infer Status extends number } } ? Status : never)

/** Returns the names in the braces of a path. */
export type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Bare}*` ? Bare : Name) | ParameterOf<Rest>
  : never

type QueryOf<One extends Operation> = One extends { readonly query: infer Query }
  ? OutputOf<Query>
  : undefined
type BodyOf<One extends Operation> = One extends { readonly body: infer Body } ? OutputOf<Body> : undefined

type CallerOf<One extends Operation> = One['scope'] extends 'none' ? undefined : Caller

/** A request after its key, limits and input were checked. */
export interface Call<One extends Operation = Operation> {
  /** Undefined for operations that need no key. */
  readonly caller: CallerOf<One>
  readonly requestId: string
  readonly params: Readonly<Record<ParameterOf<One['path']>, string>>
  readonly query: QueryOf<One>
  readonly body: BodyOf<One>
  /** The version in `If-Match`; undefined without the header, and for `*`. */
  readonly ifVersion: number | undefined
  /** The header `Last-Event-ID` of a resumed stream. */
  readonly lastEventId?: string | undefined
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** True to answer with the stream of the created resource. Default false. */
  readonly wantsStream?: boolean
}

/** One message of a stream. */
export interface StreamMessage<Data = unknown> {
  /** The position after it, for `Last-Event-ID`. */
  readonly id?: string | undefined
  readonly data: Data
}

/** The answer of an operation. */
export type Reply<One extends Operation = Operation> = (One extends {
  readonly data: infer Data extends z.ZodType
}
  ? { readonly data: z.input<Data> }
  : One extends { readonly message: infer Message extends z.ZodType }
    ? { readonly messages: AsyncIterable<StreamMessage<z.input<Message>>> }
    : { readonly bytes: Uint8Array; readonly fileName: string; readonly media?: string }) & {
  /** The cursor of the next page of a list. */
  readonly nextCursor?: string | undefined
  /** @default 0 */
  readonly tokensUsed?: number
  /** Set if it depends on the result: `status` of the operation, or its `otherStatus`. */
  readonly status?: StatusOf<One>
  /** The cookie to set; null deletes it. Default: unchanged. */
  readonly cookie?: SessionCookie | null
}

/** Handles one operation; rejects with a `StagecraftError`. */
export type Handler<One extends Operation> = (call: Call<One>) => Promise<Reply<One>>
