import { isFields } from '../provider/shapes.ts'

/** A recorded response; a stream of events is kept frame by frame. */
export interface RecordedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly frames: readonly string[]
}

/** Other headers may identify an account or change with each recording. */
const KEPT_HEADERS = [
  'content-type',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'x-request-id',
  'x-should-retry',
]

export async function toRecorded(response: Response, secrets: readonly string[]): Promise<RecordedResponse> {
  const clean = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text)
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, clean(value)] as const]
  })
  const text = clean(await response.text())
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    frames: isStream ? text.split(/(?<=\n\n|\r\n\r\n)/) : [text],
  }
}

export function toResponse({ status, headers, frames }: RecordedResponse): Response {
  return new Response(frames.join(''), { status, headers })
}

export function isRecordedResponse(value: unknown): value is RecordedResponse {
  if (!isFields(value)) return false
  const { status, headers, frames } = value
  return (
    Number.isInteger(status) &&
    isFields(headers) &&
    [...Object.values(headers), ...(Array.isArray(frames) ? frames : [undefined])].every(
      (text) => typeof text === 'string',
    )
  )
}

/** Echoes the key in the request id, which our backends show. */
export function refusalResponse(type: string, key: string, advice: string): Response {
  const error = { type, code: type, message: `${type} ${key}: ${advice}` }
  return new Response(JSON.stringify({ type: 'error', error }), {
    status: 400,
    headers: {
      'content-type': 'application/json',
      'request-id': `cassette-${key}`,
      'x-should-retry': 'false',
    },
  })
}
