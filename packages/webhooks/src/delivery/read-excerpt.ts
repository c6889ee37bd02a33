import type { Readable } from 'node:stream'

const LONGEST_EXCERPT_BYTES = 16 * 1024
/** The time limit of the body; the attempt's outcome is known before it is read. */
const EXCERPT_TIMEOUT_MS = 2000

export interface Excerpt {
  /** The start of the body as text; empty for a compressed body. */
  readonly text: string
  /** True if the body was longer, or its rest did not arrive. */
  readonly isCut: boolean
}

/** Reads the start of a body within the signal and two seconds, then closes it. */
export async function readExcerpt(
  body: Readable,
  { signal, isEncoded }: { readonly signal: AbortSignal; readonly isEncoded: boolean },
): Promise<Excerpt> {
  const chunks: Buffer[] = []
  let isCut = true
  // A destroyed body throws in the loop and emits an event, which needs a listener.
  body.on('error', () => {})
  const stop = (): void => void body.destroy()
  const timer = setTimeout(stop, EXCERPT_TIMEOUT_MS)
  signal.addEventListener('abort', stop, { once: true })
  try {
    isCut = !(await readUpTo(body, chunks))
  } catch {
    // Keep the part that has arrived.
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    body.destroy()
  }
  return { text: isEncoded ? '' : decode(Buffer.concat(chunks), isCut), isCut }
}

/** Reads a body into chunks and returns true if it ended within the limit. */
async function readUpTo(body: Readable, chunks: Buffer[]): Promise<boolean> {
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (size + chunk.length > LONGEST_EXCERPT_BYTES) {
      chunks.push(chunk.subarray(0, LONGEST_EXCERPT_BYTES - size))
      return false
    }
    chunks.push(chunk)
    size += chunk.length
  }
  return true
}

/** Decodes text without a split character at the cut and without U+0000, which PostgreSQL cannot store. */
function decode(bytes: Buffer, isCut: boolean): string {
  return new TextDecoder().decode(bytes, { stream: isCut }).replaceAll('\0', '\u{FFFD}')
}
