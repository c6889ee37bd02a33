import { type Backend, type BackendAnswer, type BackendRequest, loadPackage } from '@stagecraft/spec'
import { withDeadline } from './deadline.ts'
import { type ApiFailure, explain } from './explain.ts'
import { watchHost } from './host-watch.ts'
import type { Connection } from './options.ts'
import { isAwaited, openWire, type Wire } from './wire.ts'

/** The members of an SDK's module that are used besides its client. */
export interface SdkModule {
  readonly APIError: abstract new (...values: never) => ApiFailure
}

/** The parts that differ between APIs; the rest is shared. */
export interface Provider<Sdk extends SdkModule> {
  /** The first part of the backend's id. */
  readonly kind: string
  readonly packageName: string
  readonly load: () => Promise<Sdk>
  /** Extra headers of each request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly ask: (sdk: Sdk, call: ProviderCall) => Promise<ProviderAnswer>
}

/** One call, with every option that the SDK's client would otherwise look up. */
export interface ProviderCall {
  readonly request: BackendRequest
  readonly connection: Connection
  /** The `fetch` to pass to the client. */
  readonly fetch: typeof fetch
  readonly options: CallOptions
  /** Receives pieces of text; if set, the API must stream. */
  readonly onText: ((delta: string) => void) | undefined
}

/** The options of one request of an SDK. */
interface CallOptions {
  readonly signal: AbortSignal
  readonly timeout: number
  readonly maxRetries: number
}

export type ProviderAnswer = Omit<BackendAnswer, 'requestId'>

/** Disables the SDKs' own time limit, after which they would try again. */
const TIMEOUT_BEHIND_OURS_MS = 2 ** 31 - 1

/** An error of the caller's listener, which is passed on unchanged. */
class ListenerFailed extends Error {
  readonly reason: unknown

  constructor(reason: unknown) {
    super('onText failed')
    this.reason = reason
  }
}

/** Creates a backend on an SDK. The key stays in this closure and is not a field of an object. */
export function providerBackend<Sdk extends SdkModule>(
  provider: Provider<Sdk>,
  connection: Connection,
): Backend {
  const id = `${provider.kind}:${connection.model}`
  const host = watchHost(connection)
  return {
    id,
    complete: async (request) => {
      let sdk: Sdk | undefined
      const wire = openWire({
        fetch: connection.fetch,
        headers: headersOf(provider, connection),
        secret: connection.apiKey,
        heard: host.heard,
        deadline: performance.now() + request.timeoutMs,
      })
      try {
        const work = async (signal: AbortSignal) => {
          sdk = await loadPackage({ ...provider, neededBy: 'this backend' })
          return await Promise.race([
            provider.ask(sdk, toCall({ request, connection, wire, signal })),
            host.untilSilent({ isWaiting: () => isAwaited(wire.attempt()), signal }),
          ])
        }
        const answer = await withDeadline(work, request)
        const requestId = wire.attempt().response?.requestId
        return { ...answer, ...(requestId !== undefined && { requestId }) }
      } catch (error) {
        request.signal?.throwIfAborted()
        if (error instanceof ListenerFailed) throw error.reason
        const isApiFailure = (value: unknown): value is ApiFailure =>
          sdk !== undefined && value instanceof sdk.APIError
        throw explain(error, { id, attempt: wire.attempt(), isApiFailure, secret: connection.apiKey })
      }
    },
  }
}

function headersOf(
  { headers }: { readonly headers?: Readonly<Record<string, string>> },
  { apiKey }: Connection,
): Readonly<Record<string, string>> {
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'stagecraft',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...headers,
  }
}

interface CallParts {
  readonly request: BackendRequest
  readonly connection: Connection
  readonly wire: Wire
  readonly signal: AbortSignal
}

function toCall({ request, connection, wire, signal }: CallParts): ProviderCall {
  const { onText } = request
  return {
    request,
    connection,
    fetch: wire.fetch,
    options: { signal, timeout: TIMEOUT_BEHIND_OURS_MS, maxRetries: connection.maxRetries },
    onText: onText && ((delta) => passOn(onText, delta, signal)),
  }
}

function passOn(onText: (delta: string) => void, delta: string, signal: AbortSignal): void {
  if (signal.aborted || delta === '') return
  try {
    onText(delta)
  } catch (error) {
    throw new ListenerFailed(error)
  }
}
