import type { Readable } from 'node:stream'

const LONGEST_EXCERPT_BYTES = 16 * 1024
/** The time limit for a body; the outcome of the attempt is known before it is read. */
const EXCERPT_TIMEOUT_MS = 2000

export interface Excerpt {
  /** The beginning of the body as text; empty when it is encoded. */
  readonly text: string
  /** True if there was more, or the rest did not arrive. */
  readonly isCut: boolean
}

/** Reads the beginning of a body, never longer than the signal and two seconds let it, and ends it. */
export async function readExcerpt(
  body: Readable,
  { signal, isEncoded }: { readonly signal: AbortSignal; readonly isEncoded: boolean },
): Promise<Excerpt> {
  const chunks: Buffer[] = []
  let isCut = true
  // Both ends of a body that is destroyed are reported: by the loop, and as an event that must have a listener.
  body.on('error', () => {})
  const stop = (): void => void body.destroy()
  const timer = setTimeout(stop, EXCERPT_TIMEOUT_MS)
  signal.addEventListener('abort', stop, { once: true })
  try {
    isCut = !(await readUpTo(body, chunks))
  } catch {
    // What has come is what there is to show.
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

/** Without half a letter at a cut, and without U+0000, which PostgreSQL cannot store. */
function decode(bytes: Buffer, isCut: boolean): string {
  return new TextDecoder().decode(bytes, { stream: isCut }).replaceAll('\0', '\u{FFFD}')
}
