import { StagecraftError } from '@stagecraft/spec'
import type { Operation } from '@stagecraft/spec/api'
import type { Settings } from '../options.ts'
import { isRedirect, readAll, send } from '../transport/attempt.ts'
import { connectionFailed, notOfService, reasonOf } from '../transport/connection-failed.ts'
import { pause } from '../transport/pause.ts'
import { readFailure } from '../transport/read-failure.ts'
import { readMessages } from '../transport/read-messages.ts'
import { withoutKey } from '../transport/without-key.ts'
import { findFault } from './find-fault.ts'

/** A connection without a byte for this time counts as dead. The service sends a comment every 15 seconds. */
const SILENCE_MS = 60_000

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000

export interface StreamOptions {
  readonly operation: Operation
  /** The path with its query, starting with a slash. */
  readonly path: string
  readonly settings: Settings
  readonly signal: AbortSignal | undefined
}

/**
 * Reads the messages of a stream. Reconnects from the last position if it breaks, so that nothing is missed.
 *
 * @throws {StagecraftError} The service's error when it ends the stream; CONNECTION_FAILED if it never answered.
 * @throws The signal's reason as soon as it aborts.
 */
export async function* readStream(options: StreamOptions): AsyncGenerator {
  const { settings, signal } = options
  let lastId: string | undefined
  let wasOpen = false
  let isOver = false
  for (let failures = 0; ; failures += 1) {
    signal?.throwIfAborted()
    const connection = new Connection(signal)
    try {
      const body = await connect(options, { lastId, signal: connection.signal })
      wasOpen = true
      for await (const { data, id } of readMessages(connection.watch(body))) {
        failures = 0
        lastId = id ?? lastId
        const message = parse(data, options)
        yield message
        isOver = isLast(message, options.operation)
      }
    } catch (error) {
      signal?.throwIfAborted()
      const mayRetry = !(error instanceof StagecraftError) || error.code === 'CONNECTION_FAILED'
      if (!mayRetry || error instanceof Unreadable) throw error
      if (!wasOpen && failures >= settings.maxRetries) throw toFailure(error, options)
    } finally {
      connection.close()
    }
    if (isOver) return
    await pause(
      Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.5 + Math.random() / 2),
      signal,
    )
  }
}

function isLast(message: unknown, { lastEvents = [] }: Operation): boolean {
  return lastEvents.some(
    (event) =>
      typeof message === 'object' && message !== null && 'event' in message && message.event === event,
  )
}

/** One connection, which is closed after a time of silence. */
class Connection {
  readonly #stop = new AbortController()
  readonly signal: AbortSignal
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(outer: AbortSignal | undefined) {
    this.signal = outer ? AbortSignal.any([outer, this.#stop.signal]) : this.#stop.signal
    this.#wait()
  }

  watch(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const watched = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        this.#wait()
        controller.enqueue(bytes)
      },
    })
    return body.pipeThrough(watched)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#stop.abort()
  }

  #wait(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#stop.abort(), SILENCE_MS)
  }
}

/** The error of an invalid message. Retrying would return it again. */
class Unreadable extends StagecraftError {}

interface ConnectOptions {
  readonly lastId: string | undefined
  readonly signal: AbortSignal
}

async function connect(
  { operation, path, settings }: StreamOptions,
  { lastId, signal }: ConnectOptions,
): Promise<ReadableStream<Uint8Array>> {
  const { host } = settings.api
  const headers = {
    accept: 'text/event-stream, application/json',
    ...(lastId !== undefined && { 'last-event-id': lastId }),
  }
  const exchange = { method: operation.method, address: settings.api, path, headers }
  const response = await send(exchange, settings, signal)
  const [type] = (response.headers.get('content-type') ?? '').split(';')
  if (response.status === 200 && type === 'text/event-stream' && response.body) return response.body
  if (isRedirect(response)) throw new Unreadable('CONNECTION_FAILED', `the service at ${host} redirects`)
  const read = await readAll(response, exchange, signal)
  if ('error' in read) throw read.error
  const failure = readFailure(read) ?? notOfService(host, response.status)
  throw withoutKey(failure, settings.apiKey)
}

function toFailure(error: unknown, { settings }: StreamOptions): StagecraftError {
  if (error instanceof StagecraftError) return error
  return connectionFailed(settings.api.host, reasonOf(error))
}

function parse(text: string, { operation, settings }: StreamOptions): unknown {
  const data: unknown = parseJsonText(text)
  if (operation.message && findFault(data, operation.message) === undefined) return data
  throw new Unreadable(
    'CONNECTION_FAILED',
    `the service at ${settings.api.host} sent a message that is not as documented`,
  )
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
