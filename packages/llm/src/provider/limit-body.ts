import type { Attempt } from './attempt.ts'

/** The limit of one decompressed response. The longest answers of today's models take about 20 MB as streams. */
export const LARGEST_BODY_BYTES = 32 * 1024 * 1024

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Passes on a body up to the limit, and records how it ended. */
export function limitBody(
  body: ReadableStream<Uint8Array>,
  attempt: Attempt,
  { heard, isEvents }: { readonly heard?: () => void; readonly isEvents: boolean },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  const ending = blankLineWatch()
  let size = 0
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        // An SDK cancels its request once it has read enough.
        if (!isAbort(error)) attempt.body = 'broken'
        throw error
      })
      heard?.()
      if (done) {
        attempt.body = isEvents && !ending.isBlankLine() ? 'cut' : 'whole'
        controller.close()
        return
      }
      size += value.byteLength
      if (size > LARGEST_BODY_BYTES) {
        attempt.body = 'too large'
        await reader.cancel()
        throw new Error(`the body has more than ${LARGEST_BODY_BYTES} bytes`)
      }
      ending.see(value)
      controller.enqueue(new Uint8Array(value))
    },
    cancel: async (reason) => await reader.cancel(reason),
  })
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/** Tracks whether the last line was empty, which ends an event of a stream. */
function blankLineWatch() {
  let lineFeeds = 0
  return {
    isBlankLine: () => lineFeeds >= 2,
    see: (chunk: Uint8Array) => {
      for (const byte of chunk.subarray(-4)) {
        if (byte === LINE_FEED) lineFeeds += 1
        else if (byte !== CARRIAGE_RETURN) lineFeeds = 0
      }
    },
  }
}
