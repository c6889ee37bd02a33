import type { StreamMessage } from '@stagecraft/spec/api'

/** The pause before a browser connects again, in milliseconds. */
const RETRY_MS = 2000

/** The interval of comments, which keep proxies from closing a quiet connection. */
const HEARTBEAT_MS = 15_000

/** Prints messages as server-sent events until the signal aborts, with comments in quiet times. */
export async function* printMessages(
  messages: AsyncIterable<StreamMessage>,
  { heartbeatMs = HEARTBEAT_MS, signal }: { readonly signal: AbortSignal; readonly heartbeatMs?: number },
): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`
  const iterator = messages[Symbol.asyncIterator]()
  try {
    let next = iterator.next()
    while (!signal.aborted) {
      const result = await within(next, { milliseconds: heartbeatMs, signal })
      if (result === undefined) {
        yield ':\n\n'
        continue
      }
      if (result.done) return
      yield print(result.value)
      next = iterator.next()
    }
  } finally {
    await iterator.return?.()
  }
}

/** JSON has no line breaks, so one line of data is enough. */
function print({ data, id }: StreamMessage): string {
  const position = id === undefined ? '' : `id: ${id}\n`
  return `${position}data: ${JSON.stringify(data)}\n\n`
}

/** Resolves to undefined on timeout or abort. */
async function within<Value>(
  promise: Promise<Value>,
  { milliseconds, signal }: { readonly milliseconds: number; readonly signal: AbortSignal },
): Promise<Value | undefined> {
  const { promise: over, resolve } = Promise.withResolvers<undefined>()
  const end = (): void => resolve(undefined)
  const timer = setTimeout(end, milliseconds)
  signal.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([promise, over])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}
