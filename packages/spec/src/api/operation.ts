import type { z } from '../zod.ts'
import type { ErrorCode } from '../errors.ts'

/** The permissions of a key. `admin` is for what holds secrets: connections, Git credentials, keys. */
export const SCOPES = ['generate', 'read', 'write', 'webhooks', 'admin'] as const

export type Scope = (typeof SCOPES)[number]

/** The permission that an operation needs: a scope, `any` key of a project, or `none`, for the sign-in. */
export type Access = Scope | 'any' | 'none'

/** One operation of the interface under `/v1`. Routes, document and client are made from it. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With parameters in braces; `{path*}` takes the rest, slashes included. */
  readonly path: `/v1/${string}`
  readonly scope: Access
  /** In the imperative, without a full stop. */
  readonly summary: string
  readonly description?: string
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** True if the request may omit its body, which is then `{}`. Default false. */
  readonly isBodyOptional?: true
  /** Bodies that are accepted, by what they are for. Present with a body. */
  readonly examples?: Readonly<Record<string, unknown>>
  /** `data` of the success envelope; undefined where the answer is bytes. */
  readonly data?: z.ZodType
  /** The media type of an answer that is bytes and no envelope. */
  readonly media?: string
  /** The data of each message, of an answer that is a stream of server-sent events. */
  readonly message?: z.ZodType
  /** The `event` of messages that end a stream: it is not to be asked for again. Default: it goes on and on. */
  readonly lastEvents?: readonly string[]
  /** @default 200 */
  readonly status?: 200 | 201 | 202
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
   * The operation whose stream a client may get in place of the answer, by `Accept: text/event-stream`. Its path has one
   * parameter more, which is `data.id`.
   */
  readonly stream?: string
  /** Since when it is not to be used any more. Default: it is. */
  readonly deprecated?: Deprecation
  /** Failures beyond those of every operation: UNAUTHORIZED, FORBIDDEN, NOT_FOUND, RATE_LIMITED, INVALID_REQUEST. */
  readonly failures?: readonly ErrorCode[]
}

/** The end of an operation, as its answers announce it. Days as `2026-11-21`, in UTC. */
export interface Deprecation {
  readonly since: string
  /** From then on it may be gone. */
  readonly sunset: string
  /** The path of the operation to use instead. */
  readonly successor?: `/v1/${string}`
}

/** The key that a request came with. A key opens one project. */
export interface Caller {
  readonly keyId: string
  readonly projectId: string
  readonly scopes: readonly string[]
  /** The session of the dashboard that stands for the key. Default: the call came with the key itself. */
  readonly sessionId?: string
}

/** The cookie of a session, as a sign-in sets it. */
export interface SessionCookie {
  /** Known to the browser alone; the store has its hash. */
  readonly token: string
  readonly maxAgeSeconds: number
}

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** The names in braces of a path. */
export type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Bare}*` ? Bare : Name) | ParameterOf<Rest>
  : never

type QueryOf<One extends Operation> = One extends { readonly query: infer Query }
  ? OutputOf<Query>
  : undefined
type BodyOf<One extends Operation> = One extends { readonly body: infer Body } ? OutputOf<Body> : undefined

type CallerOf<One extends Operation> = One['scope'] extends 'none' ? undefined : Caller

/** One request, past its key, its limits and its schemas. */
export interface Call<One extends Operation = Operation> {
  /** Undefined for operations that need no key. */
  readonly caller: CallerOf<One>
  readonly requestId: string
  readonly params: Readonly<Record<ParameterOf<One['path']>, string>>
  readonly query: QueryOf<One>
  readonly body: BodyOf<One>
  /** The version that `If-Match` asks for; undefined when the header is not there or is `*`. */
  readonly ifVersion: number | undefined
  /** The header `Last-Event-ID`, of a stream that goes on. */
  readonly lastEventId?: string | undefined
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
  /** True if the client gets the stream of what is made in place of the answer. Default false. */
  readonly wantsStream?: boolean
}

/** One message of a stream. */
export interface StreamMessage<Data = unknown> {
  /** The position behind it, for `Last-Event-ID`. */
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
  /** Of a list that goes on. */
  readonly nextCursor?: string | undefined
  /** @default 0 */
  readonly tokensUsed?: number
  /** The same as `status` of the operation, where it depends on what was found. */
  readonly status?: 200 | 201 | 202
  /** The cookie to set; null takes it away. Default: it stays as it is. */
  readonly cookie?: SessionCookie | null
}

/** Handles one operation; rejects with a `StagecraftError`. */
export type Handler<One extends Operation> = (call: Call<One>) => Promise<Reply<One>>
