import { createClient } from '@stagecraft/client'
import { StagecraftError } from '@stagecraft/spec'
import { words } from '../messages.ts'

/** The paths for finding the signed-in key and its project, which belong to no page. */
const OWN = ['/v1/session', '/v1/projects?limit=2']

/** The paths that the current page has read. */
const reads = new Set<string>()

const send: typeof fetch = (input, init) => {
  const isStream = new Headers(init?.headers).get('accept')?.startsWith('text/event-stream') ?? false
  const { url } = new Request(input)
  const isOwn = OWN.some((path) => url.endsWith(path))
  if ((init?.method ?? 'GET') === 'GET' && !isStream && !isOwn) reads.add(url)
  return watched(input, { ...init, isStream })
}

type Report = (isReached: boolean) => void
let report: Report | undefined

/** Sets the function that learns after each request whether the service answered; `undefined` removes it. */
export function reportReach(to: Report | undefined): void {
  report = to
}

/** The statuses of proxies that do not reach the service. The service itself sends some of them too. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504])

interface Watched extends RequestInit {
  readonly isStream: boolean
}

async function watched(input: RequestInfo | URL, { isStream, ...init }: Watched): Promise<Response> {
  try {
    const response = await fetch(input, init)
    if (!AWAY.has(response.status)) report?.(true)
    else void checkReach()
    return response
  } catch (error) {
    // A page that is left aborts its requests. The stream is aborted when it stays silent.
    if (isStream || !init.signal?.aborted) void checkReach()
    throw error
  }
}

const CHECK_MS = 10_000

/** Sends a small request to the service, and reports whether it answered. */
export async function checkReach(): Promise<void> {
  if (!report) return
  try {
    const { status } = await fetch('/v1/session', { signal: AbortSignal.timeout(CHECK_MS) })
    report?.(!AWAY.has(status))
  } catch {
    report?.(false)
  }
}

// The page was already loaded from this address, so plain HTTP reveals nothing new.
export const client = createClient({ baseUrl: location.origin, session: true, allowHttp: true, fetch: send })

/** Forgets the paths that the page has read, because another page opens. */
export function forgetReads(): void {
  reads.clear()
}

/** Returns shell commands that read the data of this page, with the caller's own key. */
export function readsAsCurl(): string {
  return [...reads]
    .map((url) => `curl -H "Authorization: Bearer $STAGECRAFT_API_KEY" '${url.replaceAll("'", '%27')}'`)
    .join('\n')
}

/** Returns true for a call that was refused because no one is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof StagecraftError && error.code === 'UNAUTHORIZED'
}

/** Returns true for an error that says that the data no longer exists, or is not visible to this key. */
export function isGone(error: unknown): boolean {
  return error instanceof StagecraftError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN')
}

/** Returns the code of an error and its request id; empty for errors without a response. */
export function factsOf(error: unknown): { readonly code: string; readonly requestId: string } {
  if (!(error instanceof StagecraftError)) return { code: '', requestId: '' }
  const { requestId } = error.details ?? {}
  return { code: error.code, requestId: typeof requestId === 'string' ? requestId : '' }
}

/** Returns the message of an error. The client's own message about a lost connection is written for programs. */
export function messageOf(error: unknown): string {
  const { code, requestId } = factsOf(error)
  // With a request id it comes from the service, and is about a warehouse.
  if (code === 'CONNECTION_FAILED' && requestId === '') return words.problem.unreached
  return error instanceof Error ? error.message : String(error)
}
