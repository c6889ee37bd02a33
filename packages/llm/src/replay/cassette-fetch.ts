import { isFields, jsonOrText } from '../provider/shapes.ts'
import { canonical } from '../exchange/canonical-json.ts'
import { exchangeKey } from '../exchange/exchange-key.ts'
import { readStored, writeStored } from '../exchange/store.ts'
import { isRecordedResponse, refusalResponse, toRecorded, toResponse } from './recorded-response.ts'
import type { CassetteMode } from './modes.ts'

export interface CassetteFetchOptions {
  /** The folder of the recordings, one file for each request. Commit it. */
  readonly folder: string
  /** @default 'replay' */
  readonly mode?: CassetteMode
  /** The backend or `fetch` to call in the modes `record` and `live`. @default the global fetch */
  readonly fetch?: typeof fetch
}

interface RecordedHttpRequest {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/**
 * Creates a `fetch` that plays recorded HTTP exchanges, for tests through a provider's SDK. Recordings are found by
 * method, path and body; host and headers are ignored and not kept. A miss is a response with status 400, which no
 * SDK retries; a thrown error would be retried and lose its text.
 *
 * @example
 * const backend = openai({ apiKey: 'none', fetch: cassetteFetch({ folder: 'test/cassettes' }) })
 */
export function cassetteFetch(options: CassetteFetchOptions): typeof globalThis.fetch {
  const { folder, mode = 'replay', fetch = globalThis.fetch } = options
  if (mode === 'live') return fetch
  return async (input, init) => {
    init?.signal?.throwIfAborted()
    const request = recordedHttpRequest(input, init)
    const key = exchangeKey(request)
    if (mode === 'record') {
      // Probes of the host are not recorded.
      if (request.method === 'GET') return await fetch(input, init)
      const response = await toRecorded(await fetch(input, init), secretsOf(init))
      await writeStored(folder, key, { request: canonical(request), response })
      return toResponse(response)
    }
    return await find(folder, key)
  }
}

async function find(folder: string, key: string): Promise<Response> {
  const stored = await readStored(folder, key).catch(() => BROKEN)
  if (stored === undefined) return refusalResponse('cassette_miss', key, `record it in ${folder}`)
  const response = isFields(stored) ? stored['response'] : undefined
  if (isRecordedResponse(response)) return toResponse(response)
  return refusalResponse('cassette_malformed', key, `delete it in ${folder} and record it again`)
}

/** Stands for a file with invalid JSON. */
const BROKEN = 'broken'

function recordedHttpRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
): RecordedHttpRequest {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input)
  const body = typeof init?.body === 'string' ? jsonOrText(init.body) : ''
  return { method: init?.method ?? 'GET', path: pathname + search, body }
}

/** A server may echo the key. */
function secretsOf(init: RequestInit | undefined): readonly string[] {
  const authorization = new Headers(init?.headers).get('authorization')?.replace(/^Bearer /, '')
  return authorization === undefined || authorization === '' ? [] : [authorization]
}
